"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { refusedFor, type Refused } from "@/components/session/refused";
import { lazyPart } from "@/components/ui/lazy-part";
import { ApiError } from "@/lib/client/api";
import {
  changeConnection,
  failedSteps,
  importConnections,
  removeConnection,
} from "@/lib/client/queries/connections/connections";
import type { ConnectionView } from "@/lib/contracts/connections";
import { keptChange, type EditDraft } from "./change-draft";
import * as words from "./change-words";

const EditDialog = lazyPart(() => import("./edit-dialog"));
const SecretDialog = lazyPart(() => import("./secret-dialog"));
const ImportDialog = lazyPart(() => import("./import-dialog"));
const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));
const Reauthentication = lazyPart(() => import("@/components/session/reauthentication"));

/** The dialog over the list. */
export type OpenDialog =
  | { kind: "edit"; connection: ConnectionView; draft: EditDraft }
  | { kind: Exclude<words.RowAct, "edit">; connection: ConnectionView }
  | { kind: "import" }
  /** A check that waits for reauthentication. */
  | { kind: "proof"; onProven: () => void; onBack: () => void };

/** @param dialog null: none is open */
export function ChangeDialogs({
  dialog,
  onClose,
}: {
  dialog: OpenDialog | null;
  onClose: () => void;
}) {
  return <Suspense>{dialog === null ? null : <Open dialog={dialog} onClose={onClose} />}</Suspense>;
}

function Open({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  const client = useQueryClient();
  const attempt = async (change: () => Promise<unknown>): Promise<Refused | null> => {
    try {
      await change();
      onClose();
      return null;
    } catch (error) {
      return refusedFor(error, problemOf);
    }
  };
  switch (dialog.kind) {
    case "edit": {
      const { connection, draft } = dialog;
      return (
        <EditDialog
          connection={connection}
          first={draft}
          onChange={(change) =>
            attempt(async () => {
              if (Object.keys(change).length > 0)
                await changeConnection(client, connection.slug, change);
            })
          }
          onClose={onClose}
        />
      );
    }
    case "secret":
      return (
        <SecretDialog
          connection={dialog.connection}
          onChange={async (change) => {
            try {
              await changeConnection(client, dialog.connection.slug, change);
              onClose();
              return null;
            } catch (error) {
              return { refused: refusedFor(error, secretProblemOf), steps: failedSteps(error) };
            }
          }}
          onClose={onClose}
        />
      );
    case "import":
      return (
        <ImportDialog
          onImport={async (request) => {
            try {
              const { data } = await importConnections(client, request);
              return { lines: data };
            } catch (error) {
              return { refused: refusedFor(error, importProblemOf) };
            }
          }}
          onClose={onClose}
        />
      );
    case "proof":
      return (
        <Reauthentication
          {...words.proofWords.check}
          // A check is never repeated automatically after a redirect.
          kept={() => ({ kind: "none", state: null })}
          onProven={dialog.onProven}
          onBack={dialog.onBack}
        />
      );
    case "pause":
    case "resume":
    case "remove":
    case "removeAside":
      return (
        <ConfirmChange
          act={dialog.kind}
          connection={dialog.connection}
          onDo={() =>
            attempt(() => {
              const { slug } = dialog.connection;
              return dialog.kind === "pause" || dialog.kind === "resume"
                ? changeConnection(client, slug, { paused: dialog.kind === "pause" })
                : removeConnection(client, slug);
            })
          }
          onClose={onClose}
        />
      );
  }
}

function ConfirmChange({
  act,
  connection: { slug, name, set_aside: aside },
  ...rest
}: {
  act: "pause" | "resume" | "remove" | "removeAside";
  connection: ConnectionView;
  onDo: () => Promise<Refused | null>;
  onClose: () => void;
}) {
  const dialog = act === "removeAside" ? "remove" : act;
  const proof = {
    words: words.proofWords[dialog],
    kept: () => keptChange({ dialog, slug }),
  };
  if (act === "pause" || act === "resume") {
    const { sentence, ...said } =
      act === "pause" ? words.pauseDialog(name) : words.resumeDialog(name);
    return (
      <ConfirmDialog {...rest} {...said} proof={proof} isHarmless>
        {sentence}
      </ConfirmDialog>
    );
  }
  const { goes, stays, ...said } =
    aside === null ? words.removeDialog(name) : words.removeAsideDialog(aside.name, aside.host);
  return (
    <ConfirmDialog {...rest} {...said} proof={proof}>
      <p>{goes}</p>
      <p className="mt-2">{stays}</p>
    </ConfirmDialog>
  );
}

function problemOf(error: unknown): string {
  return error instanceof ApiError
    ? words.refusal(error.status, error.description)
    : words.refusal(0, null);
}

function importProblemOf(error: unknown): string {
  const isTooLarge = error instanceof ApiError && error.status === 413;
  return isTooLarge ? words.fileProblems.large : problemOf(error);
}

function secretProblemOf(error: unknown): string {
  return failedSteps(error) === null ? problemOf(error) : words.secretDialog.failed;
}
