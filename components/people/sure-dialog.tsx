"use client";

import { useState } from "react";
import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

/**
 * Asks before somebody loses something. Default export for `lazy`.
 * @param onDo null when it was done, else why it was not
 */
export default function SureDialog({
  title,
  sentence,
  keep,
  act,
  onDo,
  onClose,
}: {
  title: string;
  sentence: string;
  keep: string;
  act: string;
  onDo: () => Promise<string | null>;
  onClose: () => void;
}) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const go = async () => {
    setIsBusy(true);
    setProblem(await onDo());
    setIsBusy(false);
  };
  return (
    <AlertDialog
      title={title}
      closeLabel={keep}
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <Button look="danger" disabled={isBusy} onClick={() => void go()} className="min-w-0">
          <span className="max-w-[280px] truncate">{act}</span>
        </Button>
      }
    >
      <p className="mt-2 text-ink-2">{sentence}</p>
      {problem === null ? null : (
        <p role="alert" className="mt-3 border-l-2 border-ink pl-3 text-xs">
          {problem}
        </p>
      )}
    </AlertDialog>
  );
}
