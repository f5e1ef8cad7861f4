"use client";

import { useEffect, useMemo, useRef } from "react";
import { PHONE_QUERY, useMedia } from "@/components/ui/use-media";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { statusOf } from "@/lib/client/api";
import { deletionCsvPath, undoLeftMs, type DeletionAnswer } from "@/lib/client/queries/deletion";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { DeletionItem, DeletionView } from "@/lib/contracts/deletions";
import { UNDO_MS } from "@/lib/domain/deletion";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import {
  DOWNSTREAM_SENTENCE,
  inReceiptOrder,
  outcomeText,
  progressSentence,
  receiptTitle,
  unknownSentence,
} from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";
import { deletedItem } from "./deleted-item";
import { FileName } from "@/components/marks/file-name";
import { OutcomeIcon } from "@/components/marks/outcome-icon";
import { receiptText } from "./receipt-text";
import { useDeletion, useEndDeletion, useUndoKey } from "./use-deletion";
import { useScrollWindow } from "@/components/list/use-scroll-window";
import { useWaitFacts, useWaitingMs } from "./use-wait";
import { CLOSE, dock, loading, missing, progress, receipt } from "./words";

/** A deletion of several files: its progress, then the outcome of each. */
export function DeletionDialog({
  id,
  canDelete,
  onClose,
}: {
  id: string;
  canDelete: boolean;
  onClose: () => void;
}) {
  const { data, error } = useDeletion(id);
  if (data === undefined) {
    const isMissing = statusOf(error) === 404;
    return (
      <AlertDialog
        title={isMissing ? missing.title : loading.title}
        closeLabel={CLOSE}
        onClose={onClose}
      >
        <p className="mt-2.5 text-ink-2">
          {isMissing ? missing.sentence : error === null ? loading.sentence : loading.silent}
        </p>
      </AlertDialog>
    );
  }
  const { items, state } = data.view;
  // When nothing is left to send this is a receipt, even while an unknown outcome is being checked.
  const isUnderWay = state === "waiting" || items.some(({ outcome }) => outcome === null);
  return isUnderWay ? (
    <Progress answer={data} canDelete={canDelete} isSilent={error !== null} onClose={onClose} />
  ) : (
    <Receipt deletion={data.view} onClose={onClose} />
  );
}

function Progress({
  answer,
  canDelete,
  isSilent,
  onClose,
}: {
  answer: DeletionAnswer;
  canDelete: boolean;
  isSilent: boolean;
  onClose: () => void;
}) {
  const facts = useWaitFacts(true);
  const waitingMs = useWaitingMs(answer);
  const timeZone = useZone();
  const clock = useServerClock();
  const { view } = answer;
  const { items, state, stopping } = view;
  const { end, isEnding, problem } = useEndDeletion(view.id);
  const total = items.length;
  const done = items.filter(({ outcome }) => outcome !== null).length;
  const leftSeconds = useNow((nowMs) =>
    Math.ceil(Math.min(UNDO_MS, undoLeftMs(answer, nowMs)) / 1000),
  );
  const isWaiting = state === "waiting";
  const canUndo = canDelete && isWaiting && !isEnding && leftSeconds > 0;
  useUndoKey(canUndo, () => void end("undo"));
  const next = items.findIndex(({ outcome }) => outcome === null);
  // Those after the current one.
  const left = Math.max(0, total - done - 1);
  return (
    <AlertDialog
      title={progress.title(total)}
      closeLabel={CLOSE}
      onClose={onClose}
      isWide
      actions={
        !canDelete ? null : isWaiting ? (
          <Button disabled={!canUndo} onClick={() => void end("undo")}>
            {dock.undo}
            <kbd aria-hidden="true" className="key max-sm:hidden">
              Z
            </kbd>
          </Button>
        ) : (
          <Button disabled={isEnding || stopping || left === 0} onClick={() => void end("stop")}>
            {progress.stop}
          </Button>
        )
      }
    >
      <div
        role="progressbar"
        aria-label={progress.bar}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        className="mt-3 mb-2.5 h-1.5 border border-line-strong bg-sunken"
      >
        <i className="block h-full bg-ink" style={{ width: `${(done / total) * 100}%` }} />
      </div>
      <p className="text-ink-2">
        {isWaiting ? (
          <>
            <b className="font-strong text-ink">{progress.nothingYet}</b>{" "}
            <span aria-hidden="true">{progress.startsIn(leftSeconds)}</span>
          </>
        ) : (
          <>
            <b className="font-strong text-ink">{progress.done(done, total)}</b>{" "}
            {progressSentence(
              { waitingMs, secondsLeft: view.seconds_left, isStopping: stopping, facts },
              { nowMs: clock.nowMs(), timeZone },
            )}
          </>
        )}
      </p>
      {facts.budget === null ? null : <BudgetBar {...facts.budget} />}
      <Items
        items={items}
        state={state}
        focusPlace={next}
        textOf={(place) =>
          place === next && !isWaiting
            ? waitingMs !== null && waitingMs > 0
              ? progress.nextIn(waitingMs)
              : progress.now
            : progress.waiting
        }
      />
      <p className="mt-3.5 text-ink-2">
        {isSilent ? `${progress.silent} ` : ""}
        {progress.closing}
        {isWaiting || left === 0 || stopping ? "" : ` ${progress.stopping(left)}`}
      </p>
      {problem === null ? null : (
        <p role="alert" className="mt-2 text-xs">
          {problem}
        </p>
      )}
    </AlertDialog>
  );
}

function Receipt({ deletion, onClose }: { deletion: DeletionView; onClose: () => void }) {
  const { slug, name: companyName } = useLiveCompany();
  const timeZone = useZone();
  const { items, state } = deletion;
  const ordered = useMemo(() => inReceiptOrder(items), [items]);
  const unknown = ordered.filter(({ outcome }) => outcome === "unknown");
  return (
    <AlertDialog
      title={receiptTitle(items.map(({ outcome }) => outcome))}
      closeLabel={receipt.close}
      onClose={onClose}
      isWide
      isStatement
      actions={
        <>
          <a className="button-link max-sm:h-11" href={deletionCsvPath(slug, deletion.id)} download>
            {receipt.csv}
          </a>
          <CopyButton text={() => receiptText(deletion, { companyName, timeZone })}>
            {receipt.copy}
          </CopyButton>
        </>
      }
    >
      <div className="mt-2.5" />
      <Items items={ordered} state={state} focusPlace={-1} textOf={() => receipt.notRequested} />
      {unknown.map((item) => (
        <p key={item.file_id} className="mt-3 text-ink-2">
          <b className="font-strong text-ink">
            <FileName name={item.name} />:
          </b>{" "}
          {unknownSentence(instantMs(item.next_look_at), timeZone)}
        </p>
      ))}
      {items.some(({ outcome }) => outcome === "deleted") ? (
        <p className="mt-3 text-ink-2">{DOWNSTREAM_SENTENCE}</p>
      ) : null}
    </AlertDialog>
  );
}

const ROW_PX = 32;
/** On a phone the outcome is below the name, which would be truncated beside it. */
const PHONE_ROW_PX = 48;

/** The files as a virtual list. */
function Items({
  items,
  state,
  focusPlace,
  textOf,
}: {
  items: readonly DeletionItem[];
  state: DeletionView["state"];
  /** Kept in view unless a pointer is over the list; -1: none. */
  focusPlace: number;
  /** Text of a file without an outcome. */
  textOf: (place: number) => string;
}) {
  const timeZone = useZone();
  const box = useRef<HTMLDivElement>(null);
  const rowPx = useMedia(PHONE_QUERY) ? PHONE_ROW_PX : ROW_PX;
  const { first, end } = useScrollWindow(box, items.length, rowPx);
  useEffect(() => {
    const list = box.current;
    if (list === null || focusPlace < 0 || list.matches(":hover, :focus")) return;
    list.scrollTop = Math.max(0, focusPlace - 3) * rowPx;
  }, [focusPlace, rowPx]);
  return (
    <div
      ref={box}
      role="region"
      aria-label={progress.list}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must be reachable
      tabIndex={0}
      className="max-h-[257px] overflow-auto border-y border-line-strong"
    >
      <ol style={{ height: items.length * rowPx, paddingTop: first * rowPx }}>
        {items.slice(first, end).map((item, at) => {
          const place = first + at;
          const text = outcomeText(deletedItem(item), state, timeZone);
          return (
            <li
              key={item.file_id}
              aria-setsize={items.length}
              aria-posinset={place + 1}
              style={{ height: rowPx }}
              className={`grid grid-cols-[20px_minmax(0,1fr)_auto] content-center items-center border-b border-line last:border-b-0 max-sm:grid-cols-[20px_minmax(0,1fr)] ${item.outcome === null ? "text-ink-3" : ""}`}
            >
              <OutcomeIcon outcome={item.outcome} />
              <span className="truncate" title={inOwnOrder(item.name)}>
                <FileName name={item.name} />
              </span>
              <span
                className={`max-w-[300px] truncate pl-3 text-xs max-sm:col-start-2 max-sm:pl-0 ${item.outcome === "unknown" ? "font-strong text-unknown-text" : "text-ink-2"}`}
                title={text}
              >
                {text === "" ? textOf(place) : text}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** The minute's requests, one mark each while they can be distinguished. */
function BudgetBar({ used, limit }: { used: number; limit: number }) {
  const marks = Math.min(60, Math.max(1, limit));
  const filled = Math.min(marks, Math.round((used / Math.max(1, limit)) * marks));
  return (
    <div aria-hidden="true" className="mt-2.5 mb-3.5 flex gap-0.5">
      {Array.from({ length: marks }, (_, at) => (
        <i
          key={at}
          className={`h-3 flex-1 ${at < filled ? "bg-ink" : "border border-line-strong"}`}
        />
      ))}
    </div>
  );
}
