"use client";

import { useCallback, useEffect, type ReactNode } from "react";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { undoLeftMs, type DeletionAnswer } from "@/lib/client/queries/deletion";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { DeletionView } from "@/lib/contracts/deletions";
import { UNDO_MS } from "@/lib/domain/deletion";
import {
  DOWNSTREAM_SENTENCE,
  outcomeText,
  receiptTitle,
  unknownSentence,
  waitSentence,
} from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";
import { deletedItem } from "./deleted-item";
import { FileName } from "@/components/marks/file-name";
import { OutcomeIcon } from "@/components/marks/outcome-icon";
import { useDeletion, useEndDeletion, useUndoKey } from "./use-deletion";
import { useWaitFacts, useWaitingMs } from "./use-wait";
import { CLOSE, dock } from "./words";

/** A receipt without open questions disappears automatically. */
const QUIET_SHOWN_MS = 20_000;

/** One deletion: ten seconds to undo it, then its progress, then its outcome. */
export function DeletionBar({
  id,
  hasKey,
  onShow,
  onDismiss,
}: {
  id: string;
  /** Whether the Z key belongs to this one. */
  hasKey: boolean;
  onShow: () => void;
  onDismiss: (id: string) => void;
}) {
  const { data } = useDeletion(id);
  const dismiss = useCallback(() => onDismiss(id), [id, onDismiss]);
  if (data === undefined) return null;
  if (data.view.state === "waiting") return <Undo answer={data} hasKey={hasKey} />;
  return <Receipt answer={data} onShow={onShow} onDismiss={dismiss} />;
}

function Undo({ answer, hasKey }: { answer: DeletionAnswer; hasKey: boolean }) {
  const { end, isEnding, problem } = useEndDeletion(answer.view.id);
  const leftSeconds = useNow((nowMs) =>
    Math.ceil(Math.min(UNDO_MS, undoLeftMs(answer, nowMs)) / 1000),
  );
  const canUndo = leftSeconds > 0 && !isEnding;
  useUndoKey(hasKey && canUndo, () => void end("undo"));
  return (
    <Frame>
      <span aria-hidden="true" className="w-5 font-mono text-lg font-strong">
        {leftSeconds}
      </span>
      <p role="status" className="min-w-0 flex-1 truncate">
        {dock.deleting(<Subject deletion={answer.view} />)}
        {/* Announced once, not on each tick. */}
        <span aria-hidden="true">{dock.inSeconds(leftSeconds)}</span>
        <span className="sr-only">{dock.youMayUndo}</span>
      </p>
      {problem === null ? null : (
        <span role="alert" className="text-xs text-ink-2">
          {problem}
        </span>
      )}
      <Button disabled={!canUndo} onClick={() => void end("undo")}>
        {dock.undo}
        {hasKey ? (
          <kbd aria-hidden="true" className="key max-sm:hidden">
            Z
          </kbd>
        ) : null}
      </Button>
      <i
        aria-hidden="true"
        className="absolute bottom-0 left-0 h-[3px] w-full origin-left bg-ink [transition:transform_1s_linear]"
        style={{ transform: `scaleX(${leftSeconds / (UNDO_MS / 1000)})` }}
      />
    </Frame>
  );
}

function Receipt({
  answer,
  onShow,
  onDismiss,
}: {
  answer: DeletionAnswer;
  onShow: () => void;
  onDismiss: () => void;
}) {
  const timeZone = useZone();
  const { view: deletion } = answer;
  const { items, state } = deletion;
  const [only, second] = items;
  const single = second === undefined ? only : undefined;
  // When nothing is left to send this is a receipt, even while an unknown outcome is being checked.
  const isRunning = items.some(({ outcome }) => outcome === null);
  const isQuiet = items.every(({ outcome }) =>
    ["deleted", "already_gone", "undone"].includes(outcome ?? ""),
  );
  useEffect(() => {
    if (!isQuiet) return;
    const timer = setTimeout(onDismiss, QUIET_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isQuiet, onDismiss]);
  const done = items.filter(({ outcome }) => outcome !== null).length;
  return (
    <Frame>
      <OutcomeIcon outcome={single?.outcome ?? null} />
      <p role="status" className="min-w-0 flex-1 py-1.5 wrap-anywhere">
        {single === undefined ? (
          isRunning ? (
            <>
              {dock.deleting(<b className="font-strong">{dock.files(items.length)}</b>)}
              <span aria-hidden="true">{dock.done(done)}</span>
              <Wait answer={answer} />
            </>
          ) : (
            receiptTitle(items.map(({ outcome }) => outcome))
          )
        ) : single.outcome === null ? (
          <>
            {dock.deleting(<Subject deletion={deletion} />)}
            <Wait answer={answer} />
          </>
        ) : (
          <>
            <Subject deletion={deletion} />: {outcomeText(deletedItem(single), state, timeZone)}.{" "}
            <span className="text-xs text-ink-2">
              {single.outcome === "unknown"
                ? unknownSentence(instantMs(single.next_look_at), timeZone)
                : single.outcome === "deleted"
                  ? DOWNSTREAM_SENTENCE
                  : ""}
            </span>
          </>
        )}
      </p>
      {single === undefined ? (
        <Button onClick={onShow}>{isRunning ? dock.showProgress : dock.showReceipt}</Button>
      ) : null}
      {isRunning ? null : <Button onClick={onDismiss}>{CLOSE}</Button>}
    </Frame>
  );
}

/** Why nothing happens for a while, and for how long. */
function Wait({ answer }: { answer: DeletionAnswer }) {
  const facts = useWaitFacts(true);
  const waitingMs = useWaitingMs(answer);
  const clock = useServerClock();
  const timeZone = useZone();
  if (waitingMs === null || waitingMs <= 0) return null;
  return (
    // Announced by the dialog, so not every second here.
    <span aria-hidden="true" className="block text-xs text-ink-2">
      {waitSentence(waitingMs, facts, { nowMs: clock.nowMs(), timeZone })}
    </span>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="relative flex min-h-[52px] items-center gap-4 border border-ink bg-bg px-4 max-sm:gap-2.5">
      {children}
    </div>
  );
}

function Subject({ deletion: { items } }: { deletion: DeletionView }) {
  const [only, second] = items;
  return (
    <b className="font-strong">
      {only !== undefined && second === undefined ? (
        <FileName name={only.name} />
      ) : (
        dock.files(items.length)
      )}
    </b>
  );
}
