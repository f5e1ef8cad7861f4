import { lazy, Suspense, useId, useState, type FormEvent, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import Dialog from "@/components/ui/dialog";
import type { KeptDialog } from "@/lib/client/kept-dialog";
import type { Refused } from "./refused";

const Reauthentication = lazy(() => import("./reauthentication"));

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
  kept: () => KeptDialog;
  onSend: () => Promise<Refused | null>;
  onClose: () => void;
  children: ReactNode;
  /** After the problem, if there is one. */
  foot?: ReactNode;
}) {
  const form = useId();
  const { isBusy, refused, setRefused, send } = useSending(onSend);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = check?.() ?? null;
    if (missing === null) void send();
    else setRefused({ problem: missing });
  };
  return (
    <Dialog
      title={title}
      closeLabel={closeLabel}
      onClose={onClose}
      className="w-[560px]"
      actions={
        <Button type="submit" form={form} look="primary" disabled={isBusy} className="min-w-0">
          <span className="max-w-[240px] truncate">{save}</span>
        </Button>
      }
    >
      <form id={form} className="text-ink" onSubmit={submit}>
        {children}
        <p role="alert" className="mt-2 text-xs text-failing-text empty:hidden">
          {refused === null || refused === "unproven" ? null : refused.problem}
        </p>
        {foot}
      </form>
      <Proof
        isWanted={refused === "unproven"}
        words={proof}
        kept={kept}
        onProven={() => void send()}
        onBack={() => setRefused(null)}
      />
    </Dialog>
  );
}

/** Sends, once at a time, and keeps why it was not done. */
export function useSending(onSend: () => Promise<Refused | null>) {
  const [isBusy, setIsBusy] = useState(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  const send = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setRefused(null);
    setRefused(await onSend());
    setIsBusy(false);
  };
  return { isBusy, refused, setRefused, send };
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
  kept: () => KeptDialog;
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
