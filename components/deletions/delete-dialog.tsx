"use client";

import { Suspense, useState } from "react";
import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { DOWNSTREAM_SENTENCE } from "@/lib/domain/words/file-words";
import { BaselineMark } from "@/components/marks/baseline-mark";
import { BaselineQuestion } from "./baseline-question";
import { confirmed } from "./deletion-request";
import { FileFacts } from "./file-facts";
import { FileName } from "@/components/marks/file-name";
import { Refusal } from "./refusal";
import { nameToType, typedSoFar } from "@/components/marks/typed-name";
import { useStartDeletion } from "./use-start-deletion";
import { DELETE_FILE, type KeptDeletion } from "./kept-deletion";
import {
  CLOSE,
  DELETE,
  DELETING_BASELINE,
  KEEP_BASELINE,
  KEEP_FILE,
  NOTHING_YET,
  ONE_AT_SOURCE,
  TRY_AGAIN,
  deleteTitle,
} from "./words";

const Reauthentication = lazyPart(() => import("@/components/session/reauthentication"));

/**
 * Confirms the deletion of one file: identifies it and explains the consequences. Default export
 * for `lazyPart`.
 * @param knownBaselines of the file's project, including itself; null when unknown
 * @param kept what was typed before a redirect to the identity provider; null: a new one
 */
export default function DeleteDialog({
  file,
  knownBaselines,
  kept = null,
  onClose,
}: {
  file: ScheduleFileRow;
  knownBaselines: number | null;
  kept?: KeptDeletion | null;
  onClose: () => void;
}) {
  // What was on the screen is what is confirmed, whatever a later read returns.
  const [seen] = useState(file);
  const [typed, setTyped] = useState(kept?.typed ?? "");
  const { send, isSending, refusedWith, isPaused, proof, key } = useStartDeletion(
    onClose,
    kept?.key ?? null,
  );
  const isReady = !seen.is_baseline || typedSoFar(nameToType(seen), typed).isWhole;
  const confirm = () => {
    if (isReady && !isSending && !isPaused) void send({ files: [confirmed(seen)] });
  };
  const keep = seen.is_baseline ? KEEP_BASELINE : KEEP_FILE;
  return (
    <AlertDialog
      title={
        <>
          {seen.is_baseline ? (
            <BaselineMark className="mr-2 rounded border border-ink py-px pr-2 pl-1.5 align-[1px]" />
          ) : null}
          {deleteTitle(<FileName name={seen.name} isExact />)}
        </>
      }
      closeLabel={refusedWith === null ? keep : CLOSE}
      onClose={onClose}
      isHeavy={seen.is_baseline}
      isBusy={isSending}
      actions={
        refusedWith === 403 || refusedWith === 409 ? null : (
          <Button
            look="danger"
            isBusy={isSending}
            disabled={!isReady || isPaused}
            onClick={confirm}
            className="min-w-0"
          >
            <span className="max-w-[280px] min-w-0 truncate">
              {refusedWith === null ? DELETE : TRY_AGAIN} <FileName name={seen.name} />
            </span>
          </Button>
        )
      }
    >
      {seen.is_baseline ? (
        <BaselineQuestion
          file={seen}
          known={knownBaselines}
          typed={typed}
          onType={setTyped}
          onEnter={confirm}
        />
      ) : (
        <div className="mt-2">
          <FileFacts file={seen} />
        </div>
      )}
      <p className="mt-3 text-ink-2">
        {ONE_AT_SOURCE} {DOWNSTREAM_SENTENCE}
      </p>
      <Refusal status={refusedWith} isPaused={isPaused} />
      {proof === null ? null : (
        <Suspense>
          <Reauthentication
            {...proof}
            act={DELETING_BASELINE}
            untouched={NOTHING_YET}
            kept={() => ({ kind: DELETE_FILE, state: { file: seen, typed, key } })}
          />
        </Suspense>
      )}
    </AlertDialog>
  );
}
