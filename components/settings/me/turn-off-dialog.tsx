"use client";

import { useRef } from "react";
import { CodeField } from "@/components/session/code-field";
import { Proof } from "@/components/session/proof";
import { formProblemIn, type Refused } from "@/components/session/refused";
import { DialogForm } from "@/components/ui/form/dialog-form";
import { useSending } from "@/components/ui/form/use-sending";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import { proofWords, turnOffDialog as words } from "./words";

/**
 * Turns two-step sign-in off, with a code. Default export for `lazyPart`.
 * @param onTurnOff resolves to null on success, else to the reason
 */
export default function TurnOffDialog({
  kept,
  onTurnOff,
  onClose,
}: {
  kept: () => ResumableDialog;
  onTurnOff: (code: string) => Promise<Refused | null>;
  onClose: () => void;
}) {
  const fields = useRef<HTMLDivElement>(null);
  const { isBusy, refused, setRefused, send } = useSending(() =>
    onTurnOff(fields.current?.querySelector<HTMLInputElement>("[name=code]")?.value ?? ""),
  );
  return (
    <DialogForm
      title={words.title}
      sentence={words.sentence}
      closeLabel={words.cancel}
      save={words.save}
      isBusy={isBusy}
      problem={formProblemIn(refused)}
      onSubmit={() => void send()}
      onClose={onClose}
      over={
        <Proof
          isWanted={refused === "needs-reauthentication"}
          words={proofWords.turnOff}
          kept={kept}
          // The code just used to confirm can't be used again.
          onProven={() => setRefused(null)}
          onBack={() => setRefused(null)}
        />
      }
    >
      <div ref={fields}>
        <CodeField problem={null} />
      </div>
    </DialogForm>
  );
}
