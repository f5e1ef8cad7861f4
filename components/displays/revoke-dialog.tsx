"use client";

import { Suspense, useState } from "react";
import type { Refused } from "@/components/session/refused";
import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { Display } from "@/lib/contracts/wall";
import { unpairDialog } from "./dialog-words";
import { UNPAIR } from "./unpairing";

const Reauthentication = lazyPart(() => import("@/components/session/reauthentication"));

/**
 * Confirms the revocation of a display. Default export for `lazyPart`.
 * @param onRevoke null when it was done, else why it was not
 */
export default function RevokeDialog({
  display,
  onRevoke,
  onClose,
}: {
  display: Display;
  onRevoke: () => Promise<Refused | null>;
  onClose: () => void;
}) {
  const [isBusy, setIsBusy] = useState(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  const revoke = async () => {
    setIsBusy(true);
    setRefused(null);
    setRefused(await onRevoke());
    setIsBusy(false);
  };
  return (
    <AlertDialog
      title={unpairDialog.title(<bdi>{display.name}</bdi>)}
      closeLabel={unpairDialog.keep}
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <Button look="danger" disabled={isBusy} onClick={() => void revoke()} className="min-w-0">
          <span className="max-w-[280px] truncate">
            {unpairDialog.unpair(<bdi>{display.name}</bdi>)}
          </span>
        </Button>
      }
    >
      <p className="mt-2 text-ink-2">
        {display.place === "" ? null : (
          <>{unpairDialog.place(<bdi className="text-ink">{display.place}</bdi>)} </>
        )}
        {unpairDialog.sentence}
      </p>
      {refused === null ? null : refused === "needs-reauthentication" ? (
        <Suspense>
          <Reauthentication
            act={unpairDialog.act}
            untouched={unpairDialog.untouched}
            kept={() => ({ kind: UNPAIR, state: { display: display.id } })}
            onProven={() => void revoke()}
            onBack={() => setRefused(null)}
          />
        </Suspense>
      ) : (
        <p role="alert" className="mt-3 border-l-2 border-ink pl-3 text-xs">
          {refused.problem}
        </p>
      )}
    </AlertDialog>
  );
}
