"use client";

import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import type { Refused } from "@/components/session/refused";
import type { PersonEntry } from "@/lib/contracts/people";
import type { Sure } from "./kept";
import { Proof, useSending } from "./person-dialog";
import { proofWords, sureWords } from "./words";

/**
 * Asks before something is done to somebody. Default export for `lazy`.
 * @param onDo null when it was done, else why it was not
 */
export default function SureDialog({
  kind,
  person,
  onDo,
  onClose,
}: {
  kind: Sure;
  person: PersonEntry;
  onDo: () => Promise<Refused | null>;
  onClose: () => void;
}) {
  const { isBusy, refused, setRefused, send } = useSending(onDo);
  const { title, sentence, keep, act, isHarmless } = sureWords(kind, person);
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
      {refused === null || refused === "unproven" ? null : (
        <p role="alert" className="mt-3 border-l-2 border-ink pl-3 text-xs">
          {refused.problem}
        </p>
      )}
      <Proof
        isWanted={refused === "unproven"}
        words={proofWords[kind]}
        kept={() => ({ dialog: kind, person: person.id })}
        onProven={() => void send()}
        onBack={() => setRefused(null)}
      />
    </AlertDialog>
  );
}
