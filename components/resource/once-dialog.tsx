"use client";

import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { ShownOnce } from "@/components/ui/form/shown-once";
import Dialog from "@/components/ui/dialog";

/**
 * Shows a secret once, with a copy button. Default export for `lazyPart`.
 * @param words.label accessible name of the secret's field
 */
export default function OnceDialog({
  title,
  words,
  secret,
  onClose,
  children,
}: {
  title: string;
  words: { label: string; copy: string; close: string };
  secret: string;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog
      title={title}
      closeLabel={words.close}
      onClose={onClose}
      className="w-[560px]"
      actions={
        <CopyButton look="primary" text={() => secret}>
          {words.copy}
        </CopyButton>
      }
    >
      <p>{children}</p>
      <ShownOnce label={words.label} value={secret} />
    </Dialog>
  );
}
