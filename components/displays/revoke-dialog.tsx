"use client";

import { useState } from "react";
import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import type { Display } from "@/lib/contracts/wall";

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
      title={
        <>
          Unpair “<bdi>{display.name}</bdi>”?
        </>
      }
      closeLabel="Keep paired"
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <Button look="danger" disabled={isBusy} onClick={() => void revoke()} className="min-w-0">
          <span className="max-w-[280px] truncate">
            Unpair <bdi>{display.name}</bdi>
          </span>
        </Button>
      }
    >
      <p className="mt-2 text-ink-2">
        {display.place === "" ? null : (
          <>
            Location: <bdi className="text-ink">{display.place}</bdi>.{" "}
          </>
        )}
        It loses access within ten seconds and says so within about a minute. To use it again, pair
        it again.
      </p>
      {problem === null ? null : (
        <p role="alert" className="mt-3 border-l-2 border-ink pl-3 text-xs">
          {problem}
        </p>
      )}
    </AlertDialog>
  );
}
