"use client";

import { Suspense, useState } from "react";
import { refusedFor } from "@/components/session/refused";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { statusOf } from "@/lib/client/api";
import { removeDemo } from "@/lib/client/queries/settings/demo";
import { proof, refusal, REMOVE, removeDialog as words } from "./administrator-words";

const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));

const DIALOG = "remove-demo";
const isDialogState = (state: unknown): state is null => state === null;

/** Removes the demo, once confirmed. @param companies names of its companies */
export function RemoveDemo({ companies }: { companies: readonly string[] }) {
  const [isOpen, setIsOpen] = useState(false);
  useResumableDialog(DIALOG, isDialogState, () => setIsOpen(true));
  const remove = async () => {
    try {
      await removeDemo();
      // Every page, list and menu may have shown it.
      window.location.assign("/companies");
      return null;
    } catch (error) {
      return refusedFor(error, (other) => refusal(statusOf(other)));
    }
  };
  return (
    <>
      <Button data-act={REMOVE} onClick={() => setIsOpen(true)}>
        {REMOVE}
      </Button>
      <Suspense>
        {isOpen ? (
          <ConfirmDialog
            title={words.title}
            keep={words.keep}
            act={words.act}
            proof={{ words: proof, kept: () => ({ kind: DIALOG, state: null }) }}
            onDo={remove}
            onClose={() => setIsOpen(false)}
          >
            <p>{words.goes(companies)}</p>
            <p className="mt-2">{words.stays}</p>
          </ConfirmDialog>
        ) : null}
      </Suspense>
    </>
  );
}
