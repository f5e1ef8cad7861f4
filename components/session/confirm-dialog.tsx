"use client";

import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { useSending } from "@/components/ui/form/use-sending";
import { Proof, type ProofWords } from "./form-dialog";
import type { Refused } from "./refused";

/**
 * Confirms an action, and reauthenticates the person where the action needs it. Default export for `lazyPart`.
 * @param words what it says: its question, what follows, what closes it and what does it
 * @param kept the dialog as it is to be found again
 * @param onDo null when it was done, else why it was not
 */
export default function ConfirmDialog({
  words: { title, sentence, keep, act, isHarmless },
  proof,
  kept,
  onDo,
  onClose,
}: {
  words: { title: string; sentence: string; keep: string; act: string; isHarmless: boolean };
  proof: ProofWords;
  kept: () => ResumableDialog;
  onDo: () => Promise<Refused | null>;
  onClose: () => void;
}) {
  const { isBusy, refused, setRefused, send } = useSending(onDo);
  return (
    <AlertDialog
      title={title}
      closeLabel={keep}
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <Button
          look={isHarmless ? "primary" : "danger"}
          disabled={isBusy}
          onClick={() => void send()}
          className="min-w-0"
        >
          <span className="max-w-[280px] truncate">{act}</span>
        </Button>
      }
    >
      <p className="mt-2 text-ink-2">{sentence}</p>
      {refused === null || refused === "needs-reauthentication" ? null : (
        <p role="alert" className="mt-3 border-l-2 border-ink pl-3 text-xs">
          {refused.problem}
        </p>
      )}
      <Proof
        isWanted={refused === "needs-reauthentication"}
        words={proof}
        kept={kept}
        onProven={() => void send()}
        onBack={() => setRefused(null)}
      />
    </AlertDialog>
  );
}
