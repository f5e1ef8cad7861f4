"use client";

import type { ReactNode } from "react";
import { Proof, type ProofWords } from "@/components/session/proof";
import { problemIn, type Refused } from "@/components/session/refused";
import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { useSending } from "@/components/ui/form/use-sending";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";

/**
 * Confirms an action, and reauthenticates the person if the action requires it. Default export for `lazyPart`.
 * @param keep label of the cancel button
 * @param act label of the confirm button
 * @param isHarmless the action destroys nothing
 * @param isInner over another dialog
 * @param proof omitted: the action needs no recent sign-in; `kept`: state to restore after signing in
 * @param onDo resolves to null on success, else to the reason
 */
export default function ConfirmDialog({
  title,
  keep,
  act,
  isHarmless = false,
  isInner = false,
  proof,
  onDo,
  onClose,
  children,
}: {
  title: ReactNode;
  keep: string;
  act: ReactNode;
  isHarmless?: boolean;
  isInner?: boolean;
  proof?: { words: ProofWords; kept: () => ResumableDialog };
  onDo: () => Promise<Refused | null>;
  onClose: () => void;
  children: ReactNode;
}) {
  const { isBusy, refused, setRefused, send } = useSending(onDo);
  return (
    <AlertDialog
      title={title}
      closeLabel={keep}
      onClose={onClose}
      isBusy={isBusy}
      isInner={isInner}
      actions={
        <Button
          look={isHarmless ? "primary" : "danger"}
          isBusy={isBusy}
          onClick={() => void send()}
          className="min-w-0"
        >
          <span className="max-w-[280px] truncate">{act}</span>
        </Button>
      }
    >
      <div className="mt-2 text-ink-2">{children}</div>
      {problemIn(refused) === null ? null : (
        <p role="alert" className="mt-3 border-l-2 border-ink pl-3 text-xs">
          {problemIn(refused)}
        </p>
      )}
      {proof === undefined ? null : (
        <Proof
          {...proof}
          isWanted={refused === "needs-reauthentication"}
          onProven={() => void send()}
          onBack={() => setRefused(null)}
        />
      )}
    </AlertDialog>
  );
}
