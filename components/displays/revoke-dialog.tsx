"use client";

import { useState } from "react";
import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import type { Display } from "@/lib/contracts/wall";
import { unpairDialog } from "./dialog-words";

/**
 * Asks before a screen is told to show nothing more. Default export for `lazy`.
 * @param onRevoke null when it was done, else why it was not
 */
export default function RevokeDialog({
  display,
  onRevoke,
  onClose,
}: {
  display: Display;
  onRevoke: () => Promise<string | null>;
  onClose: () => void;
}) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const revoke = async () => {
    setIsBusy(true);
    setProblem(await onRevoke());
    setIsBusy(false);
  };
  return (
    <AlertDialog
      title={unpairDialog.title(<bdi>{display.name}</bdi>)}
      closeLabel={unpairDialog.keep}
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <Button look="danger" disabled={isBusy} onClick={() => void revoke()} className="min-w-0">
          <span className="max-w-[280px] truncate">
            {unpairDialog.unpair(<bdi>{display.name}</bdi>)}
          </span>
        </Button>
      }
    >
      <p className="mt-2 text-ink-2">
        {display.place === "" ? null : (
          <>{unpairDialog.place(<bdi className="text-ink">{display.place}</bdi>)} </>
        )}
        {unpairDialog.sentence}
      </p>
      {problem === null ? null : (
        <p role="alert" className="mt-3 border-l-2 border-ink pl-3 text-xs">
          {problem}
        </p>
      )}
    </AlertDialog>
  );
}
