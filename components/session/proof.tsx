import { Suspense } from "react";
import { lazyPart } from "@/components/ui/lazy-part";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";

const Reauthentication = lazyPart(() => import("./reauthentication"));

/** What needs a recent sign-in, and what hasn't happened yet. */
export type ProofWords = { act: string; untouched: string };

/**
 * Reauthenticates the person over the open dialog.
 * @param kept the dialog as it is reopened after a visit to the identity provider
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
