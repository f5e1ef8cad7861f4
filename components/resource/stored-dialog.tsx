"use client";

import { useState, type ReactNode } from "react";
import AlertDialog from "@/components/ui/alert-dialog";
import { Checkbox } from "@/components/ui/form/checkbox";

/**
 * Shows a secret that can't be shown again. Stays open until the person says that it is stored.
 * @param words.stored label of the checkbox
 */
export function StoredDialog({
  title,
  words,
  onClose,
  children,
}: {
  title: string;
  words: { stored: string; close: string };
  onClose: () => void;
  children: ReactNode;
}) {
  const [isStored, setIsStored] = useState(false);
  return (
    <AlertDialog
      title={title}
      closeLabel={words.close}
      onClose={onClose}
      isWide
      isStatement
      isBusy={!isStored}
      actions={
        <Checkbox
          label={words.stored}
          isLabelShown
          checked={isStored}
          onChange={({ target }) => setIsStored(target.checked)}
          className="mr-auto min-h-[30px] max-sm:min-h-11"
        />
      }
    >
      {children}
    </AlertDialog>
  );
}
