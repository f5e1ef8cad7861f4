"use client";

import { useZone } from "@/components/shell/time/zone";
import { CopyButton } from "@/components/ui/copy-button";
import Dialog from "@/components/ui/dialog";
import type { PasswordLink } from "@/lib/contracts/people";
import { absoluteTime } from "@/lib/domain/words/format";
import { linkDialog } from "./words";

/**
 * Shows a new password link, once, and whether it was mailed. Default export for `lazyPart`.
 * @param email whom it was mailed to, where it was
 */
export default function LinkDialog({
  title,
  email,
  link,
  onClose,
}: {
  title: string;
  email: string;
  link: PasswordLink;
  onClose: () => void;
}) {
  const timeZone = useZone();
  return (
    <Dialog
      title={title}
      closeLabel={linkDialog.close}
      onClose={onClose}
      className="w-[560px]"
      actions={
        <CopyButton look="primary" text={() => link.url}>
          {linkDialog.copy}
        </CopyButton>
      }
    >
      <p>
        {linkDialog.mailed(link.mailed, email)}{" "}
        {linkDialog.until(absoluteTime(Date.parse(link.expires_at), timeZone))}
      </p>
      <input
        readOnly
        aria-label={linkDialog.label}
        value={link.url}
        onFocus={({ target }) => target.select()}
        className="mt-3 block h-[38px] w-full rounded border border-control bg-sunken px-2.5 font-mono text-xs text-ink"
      />
    </Dialog>
  );
}
