"use client";

import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { ShownOnce } from "@/components/ui/form/shown-once";
import { StoredDialog } from "./stored-dialog";

/**
 * Shows a secret once, with a copy button. Default export for `lazyPart`.
 * @param words.label accessible name of the secret's field
 * @param words.stored label of the checkbox that has to be ticked before it closes
 */
export default function OnceDialog({
  title,
  words,
  secret,
  onClose,
  children,
}: {
  title: string;
  words: { label: string; copy: string; stored: string; close: string };
  secret: string;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <StoredDialog title={title} words={words} onClose={onClose}>
      <p className="mt-2 text-ink-2">{children}</p>
      <ShownOnce label={words.label} value={secret} />
      <CopyButton look="primary" text={() => secret} className="mt-3 self-start">
        {words.copy}
      </CopyButton>
    </StoredDialog>
  );
}
