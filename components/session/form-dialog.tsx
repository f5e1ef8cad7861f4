import { Suspense, type ReactNode } from "react";
import { DialogForm } from "@/components/ui/form/dialog-form";
import { useSending } from "@/components/ui/form/use-sending";
import { lazyPart } from "@/components/ui/lazy-part";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import type { Refused } from "./refused";

const Reauthentication = lazyPart(() => import("./reauthentication"));

/** What confirming who one is is asked for, and what has not happened yet. */
export type ProofWords = { act: string; untouched: string };

/**
 * A form in a dialog that stays as it is while whoever fills it in proves who they are.
 * @param save what its button says
 * @param check a sentence on what is missing in the form; null: nothing is
 * @param onSend null when it was done, else why it was not
 * @param kept the dialog as it is to be found again
 */
export function FormDialog({
  title,
  closeLabel,
  save,
  proof,
  check,
  kept,
  onSend,
  onClose,
  children,
  foot,
}: {
  title: string;
  closeLabel: string;
  save: string;
  proof: ProofWords;
  check?: () => string | null;
  kept: () => ResumableDialog;
  onSend: () => Promise<Refused | null>;
  onClose: () => void;
  children: ReactNode;
  /** After the problem, if there is one. */
  foot?: ReactNode;
}) {
  const { isBusy, refused, setRefused, send } = useSending(onSend);
  return (
    <DialogForm
      title={title}
      closeLabel={closeLabel}
      save={save}
      isDisabled={isBusy}
      problem={refused === null || refused === "needs-reauthentication" ? null : refused.problem}
      className="w-[560px]"
      onSubmit={() => {
        const missing = check?.() ?? null;
        if (missing === null) void send();
        else setRefused({ problem: missing });
      }}
      onClose={onClose}
      foot={foot}
      over={
        <Proof
          isWanted={refused === "needs-reauthentication"}
          words={proof}
          kept={kept}
          onProven={() => void send()}
          onBack={() => setRefused(null)}
        />
      }
    >
      {children}
    </DialogForm>
  );
}

/** Asks who it is, over the dialog that is open. */
export function Proof({
  isWanted,
  words,
  kept,
  onProven,
  onBack,
}: {
  isWanted: boolean;
  words: ProofWords;
  kept: () => ResumableDialog;
  onProven: () => void;
  onBack: () => void;
}) {
  if (!isWanted) return null;
  return (
    <Suspense>
      <Reauthentication {...words} kept={kept} onProven={onProven} onBack={onBack} />
    </Suspense>
  );
}
