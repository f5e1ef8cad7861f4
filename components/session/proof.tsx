import { Suspense } from "react";
import { lazyPart } from "@/components/ui/lazy-part";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";

const Reauthentication = lazyPart(() => import("./reauthentication"));

/** The action that needs a recent sign-in ("Deleting a baseline"), and a sentence that it hasn't happened yet. */
export type ProofWords = { act: string; untouched: string };

/**
 * Reauthenticates the person over the open dialog.
 * @param kept state to restore after signing in at the identity provider
 */
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
