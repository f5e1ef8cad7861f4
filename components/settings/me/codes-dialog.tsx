"use client";

import { CopyButton } from "@/components/ui/copy-button";
import Dialog from "@/components/ui/dialog";
import { codesDialog as words } from "./words";

/** Shows recovery codes once. Default export for `lazyPart`. */
export default function CodesDialog({
  codes,
  onClose,
}: {
  codes: readonly string[];
  onClose: () => void;
}) {
  return (
    <Dialog
      title={words.title}
      closeLabel={words.close}
      onClose={onClose}
      actions={
        <CopyButton look="primary" text={() => codes.join("\n")}>
          {words.copy}
        </CopyButton>
      }
    >
      <p>{words.sentence}</p>
      <ul
        aria-label={words.list}
        className="mt-3 grid grid-cols-2 gap-x-4 gap-y-1 rounded border border-line bg-sunken p-3 font-mono text-xs/5 text-ink max-sm:grid-cols-1"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}
