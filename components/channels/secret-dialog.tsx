"use client";

import { CopyButton } from "@/components/ui/copy-button";
import Dialog from "@/components/ui/dialog";
import { secretDialog as words } from "./words";

/**
 * Shows a channel's new signing secret, once. Default export for `lazyPart`.
 * @param name of the channel
 */
export default function SecretDialog({
  name,
  secret,
  onClose,
}: {
  name: string;
  secret: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={words.title(name)}
      closeLabel={words.close}
      onClose={onClose}
      className="w-[560px]"
      actions={
        <CopyButton look="primary" text={() => secret}>
          {words.copy}
        </CopyButton>
      }
    >
      <p>{words.sentence}</p>
      <input
        readOnly
        aria-label={words.label}
        value={secret}
        onFocus={({ target }) => target.select()}
        className="mt-3 block h-[38px] w-full rounded border border-control bg-sunken px-2.5 font-mono text-xs text-ink"
      />
    </Dialog>
  );
}
