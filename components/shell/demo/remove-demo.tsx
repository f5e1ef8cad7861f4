"use client";

import { Suspense, useState } from "react";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { REMOVE } from "./administrator-words";

const RemoveDemoDialog = lazyPart(() => import("./remove-demo-dialog"));

const DIALOG = "remove-demo";
const isDialogState = (state: unknown): state is null => state === null;

/** Removes the demo, once confirmed. @param companies names of its companies */
export function RemoveDemo({ companies }: { companies: readonly string[] }) {
  const [isOpen, setIsOpen] = useState(false);
  useResumableDialog(DIALOG, isDialogState, () => setIsOpen(true));
  return (
    <>
      <Button data-act={REMOVE} onClick={() => setIsOpen(true)}>
        {REMOVE}
      </Button>
      <Suspense>
        {isOpen ? (
          <RemoveDemoDialog kind={DIALOG} companies={companies} onClose={() => setIsOpen(false)} />
        ) : null}
      </Suspense>
    </>
  );
}
