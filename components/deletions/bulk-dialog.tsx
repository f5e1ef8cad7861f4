"use client";

import { Suspense, useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { lazyPart } from "@/components/ui/lazy-part";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import type { DeletionView } from "@/lib/contracts/deletions";
import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { DOWNSTREAM_SENTENCE } from "@/lib/domain/words/file-words";
import { BaselineMark } from "@/components/marks/baseline-mark";
import { BaselineQuestion } from "./baseline-question";
import { deletionRequestOf } from "./deletion-request";
import { FileName } from "@/components/marks/file-name";
import { DELETE_FILES, writeDeletions, type KeptDeletions } from "./kept-deletion";
import { Refusal } from "./refusal";
import { baselinesOf, countOf, type Selection } from "./selection";
import { nameToType, typedSoFar } from "@/components/marks/typed-name";
import { TypedField } from "./typed-field";
import { useStartDeletion, type Proof } from "./use-start-deletion";
import {
  CLOSE,
  DELETING_BASELINE,
  DELETING_FILES,
  KEEP_BASELINE,
  MATCHES,
  NOTHING_YET,
  SENDING,
  askBaseline,
  askCount,
  deleteFiles,
  deleteFilesAgain,
  deleteTitle,
  fileFacts,
} from "./words";

const Reauthentication = lazyPart(() => import("@/components/session/reauthentication"));

const NOTHING_KEPT: ReadonlySet<number> = new Set();

/**
 * Confirms the deletion of several files: their number, typed, then each baseline separately.
 * Default export for `lazyPart`.
 * @param resumed the confirmation before a redirect to the identity provider; null: a new one
 * @param baselinesOfProject number of known baselines of a project; null when unknown
 */
export default function BulkDialog({
  selection,
  resumed = null,
  baselinesOfProject,
  onStarted,
  onClose,
}: {
  selection: Selection;
  resumed?: KeptDeletions | null;
  baselinesOfProject: (file: ScheduleFileRow) => number | null;
  onStarted: (deletion: DeletionView) => void;
  onClose: () => void;
}) {
  // The selection when the dialog opened is what gets deleted.
  const [chosen] = useState(resumed?.selection ?? selection);
  const baselines = baselinesOf(chosen);
  const [isCounted, setIsCounted] = useState(resumed !== null);
  /** Baselines confirmed so far, and those of them to keep. */
  const [confirmed, setConfirmed] = useState(resumed === null ? 0 : baselines.length);
  const [kept, setKept] = useState(resumed?.kept ?? NOTHING_KEPT);
  const { send, isSending, refusedWith, isPaused, proof, key } = useStartDeletion(
    onStarted,
    resumed?.key ?? null,
  );

  const sendWithout = (without: ReadonlySet<number>) => {
    const request = deletionRequestOf(chosen, without);
    if (request === null) onClose();
    else void send(request);
  };
  const answer = (answered: number, without: ReadonlySet<number>) => {
    setConfirmed(answered);
    setKept(without);
    if (answered === baselines.length) sendWithout(without);
  };

  const baseline = baselines[confirmed];
  if (isCounted && baseline !== undefined) {
    const keep = (more: readonly ScheduleFileRow[]) =>
      new Set([...kept, ...more.map(({ id }) => id)]);
    return (
      <AskBaseline
        key={baseline.id}
        file={baseline}
        place={confirmed + 1}
        total={baselines.length}
        known={baselinesOfProject(baseline)}
        others={countOf(chosen) - kept.size - (baselines.length - confirmed)}
        onKeep={() => answer(confirmed + 1, keep([baseline]))}
        onKeepRest={() => answer(baselines.length, keep(baselines.slice(confirmed)))}
        onDelete={() => answer(confirmed + 1, kept)}
        onClose={onClose}
      />
    );
  }
  if (isCounted) {
    return (
      <Sending
        selection={chosen}
        kept={kept}
        isSending={isSending}
        refusedWith={refusedWith}
        isPaused={isPaused}
        proof={proof}
        hasBaselines={kept.size < baselines.length}
        keep={() => ({
          kind: DELETE_FILES,
          state: writeDeletions({ selection: chosen, kept, key }),
        })}
        onAgain={() => sendWithout(kept)}
        onClose={onClose}
      />
    );
  }
  return (
    <AskCount
      selection={chosen}
      isPaused={isPaused}
      onClose={onClose}
      onCounted={() => {
        setIsCounted(true);
        if (baselines.length === 0) sendWithout(NOTHING_KEPT);
      }}
    />
  );
}

function AskCount({
  selection,
  isPaused,
  onClose,
  onCounted,
}: {
  selection: Selection;
  isPaused: boolean;
  onClose: () => void;
  onCounted: () => void;
}) {
  const { name: companyName } = useLiveCompany();
  const [typed, setTyped] = useState("");
  const amount = countOf(selection);
  const baselines = baselinesOf(selection);
  const isRight = typed.replaceAll(/[\s,.']/gu, "") === String(amount);
  const go = () => {
    if (isRight && !isPaused) onCounted();
  };
  return (
    <AlertDialog
      title={askCount.title(amount, companyName)}
      closeLabel={askCount.keep(amount)}
      onClose={onClose}
      isWide
      actions={
        <Button look="danger" disabled={!isRight || isPaused} onClick={go}>
          {askCount.go(amount, baselines.length)}
        </Button>
      }
    >
      <p className="mt-2.5 mb-3">
        {selection.kind === "matching" ? askCount.allMatching(amount) : ""}{" "}
        {askCount.baselines(baselines.length)}
      </p>
      <ChosenFiles selection={selection} />
      <TypedField
        label={askCount.type(amount)}
        inputMode="numeric"
        value={typed}
        onChange={setTyped}
        onEnter={go}
        note={isRight ? MATCHES : ""}
      />
      <p className="mt-3 text-ink-2">
        {askCount.atSource} {DOWNSTREAM_SENTENCE}
      </p>
      <Refusal status={null} isPaused={isPaused} />
    </AlertDialog>
  );
}

/**
 * The files to delete; if those that match filters were chosen, the baselines among them.
 * @param without ids of those to keep
 */
function ChosenFiles({
  selection,
  without = NOTHING_KEPT,
}: {
  selection: Selection;
  without?: ReadonlySet<number>;
}) {
  const files = selection.kind === "files" ? [...selection.files.values()] : baselinesOf(selection);
  const listed = files.filter(({ id }) => !without.has(id));
  if (listed.length === 0) return null;
  return (
    <ScrollRegion
      label={selection.kind === "files" ? askCount.files : askCount.baselinesAmong}
      // Five rows and a half, so that the list is seen to go on.
      className="mb-3.5 max-h-[156px] overflow-auto border-y border-line-strong"
    >
      <ul>
        {listed.map((file) => (
          <li
            key={file.id}
            className="flex min-h-7 flex-wrap items-center gap-x-3 border-t border-line py-1 text-xs first:border-t-0"
          >
            <span className="min-w-0 flex-1 font-medium wrap-anywhere max-sm:basis-full">
              <FileName name={file.name} />
            </span>
            {file.is_baseline ? <BaselineMark /> : null}
            <span className="font-mono whitespace-nowrap text-ink-2">
              {fileFacts.typeAndId(file.file_type, file.id)}
            </span>
          </li>
        ))}
      </ul>
    </ScrollRegion>
  );
}

function AskBaseline({
  file,
  place,
  total,
  known,
  others,
  onKeep,
  onKeepRest,
  onDelete,
  onClose,
}: {
  file: ScheduleFileRow;
  /** One-based. */
  place: number;
  total: number;
  known: number | null;
  /** Files that are deleted even if this baseline and those after it are kept. */
  others: number;
  onKeep: () => void;
  onKeepRest: () => void;
  onDelete: () => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState("");
  const isReady = typedSoFar(nameToType(file), typed).isWhole;
  const confirm = () => {
    if (isReady) onDelete();
  };
  const rest = total - place + 1;
  return (
    <AlertDialog
      title={
        <>
          <BaselineMark className="mr-2 rounded border border-ink py-px pr-2 pl-1.5 align-[1px]" />
          {deleteTitle(<FileName name={file.name} isExact />, askBaseline.lead(place, total))}
        </>
      }
      closeLabel={askBaseline.keepAll}
      onClose={onClose}
      isHeavy
      actions={
        <Button look="danger" disabled={!isReady} onClick={confirm}>
          {askBaseline.go}
        </Button>
      }
    >
      <BaselineQuestion
        file={file}
        known={known}
        typed={typed}
        onType={setTyped}
        onEnter={confirm}
      />
      {others === 0 ? null : <p className="mt-3 text-ink-2">{askBaseline.others(others)}</p>}
      <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-xs">
        <button type="button" className="min-h-6 underline underline-offset-3" onClick={onKeep}>
          {KEEP_BASELINE}
        </button>
        {rest < 2 ? null : (
          <button
            type="button"
            className="min-h-6 underline underline-offset-3"
            onClick={onKeepRest}
          >
            {askBaseline.keepRest(rest - 1)}
          </button>
        )}
      </p>
    </AlertDialog>
  );
}

function Sending({
  selection,
  kept,
  isSending,
  refusedWith,
  isPaused,
  proof,
  hasBaselines,
  keep,
  onAgain,
  onClose,
}: {
  selection: Selection;
  /** Ids of baselines to keep. */
  kept: ReadonlySet<number>;
  isSending: boolean;
  refusedWith: number | null;
  isPaused: boolean;
  proof: Proof | null;
  /** Whether some of them are deleted. */
  hasBaselines: boolean;
  keep: () => ResumableDialog;
  onAgain: () => void;
  onClose: () => void;
}) {
  const files = countOf(selection) - kept.size;
  const isAsking = !isSending && refusedWith === null;
  return (
    <AlertDialog
      title={deleteFiles(files)}
      closeLabel={CLOSE}
      onClose={onClose}
      isBusy={isSending}
      isWide={isAsking}
      actions={
        refusedWith === 403 || refusedWith === 409 || refusedWith === 413 ? null : (
          <Button look="danger" isBusy={isSending} disabled={isPaused} onClick={onAgain}>
            {refusedWith === null ? deleteFiles(files) : deleteFilesAgain(files)}
          </Button>
        )
      }
    >
      {isSending ? <p className="mt-2.5">{SENDING}</p> : null}
      {isAsking ? (
        <>
          <p className="mt-2.5 mb-3">{NOTHING_YET}</p>
          <ChosenFiles selection={selection} without={kept} />
          <p className="text-ink-2">
            {askCount.atSource} {DOWNSTREAM_SENTENCE}
          </p>
        </>
      ) : null}
      <Refusal status={refusedWith} isPaused={isPaused} />
      {proof === null ? null : (
        <Suspense>
          <Reauthentication
            {...proof}
            act={hasBaselines ? DELETING_BASELINE : DELETING_FILES}
            untouched={NOTHING_YET}
            kept={keep}
          />
        </Suspense>
      )}
    </AlertDialog>
  );
}
