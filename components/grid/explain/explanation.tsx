"use client";

import { Popover } from "@base-ui/react/popover";
import { useEffect, useState } from "react";
import { AgeRuler } from "@/components/drill-down/age-ruler";
import { useJudge } from "@/components/drill-down/partner-rows";
import { tell } from "@/components/drill-down/words";
import { Key } from "@/components/list/keys-footer";
import { Badge } from "@/components/marks/badge";
import { calledName, whoIsOn } from "@/components/marks/on-it";
import { useGivenIncidents } from "@/components/marks/open-incidents";
import { PromiseMark } from "@/components/marks/promise-mark";
import { useIsQuiet } from "@/components/quiet/quiet-marks";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { CopyButton } from "@/components/ui/copy-button";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { isPausedAtSource, isResting, VERDICTS } from "@/lib/domain/sync";
import { instantMs } from "@/lib/domain/time/instant";
import { zoneName } from "@/lib/domain/time/zone-name";
import { customerWords } from "@/lib/domain/words/customer/customer-words";
import { promiseSentence, shownPromiseText } from "@/lib/domain/words/deadlines/promise-text";
import { clockTime } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import {
  actionText,
  meaningText,
  STATE_LABEL,
  STATE_MEANING,
  STATES,
  VERDICT_MEANING,
} from "@/lib/domain/words/verdict/verdict-help";
import { explainWords as words, whatItMeans } from "./words";

/** The endpoint whose verdict is explained, its line, and the button that was pressed. */
export type Explained = { id: string; lineKey: string; element: HTMLElement };

/**
 * What the verdict of a line means, what to do and what to tell the customer. Its line stays visible. Default export
 * for `lazyPart`.
 */
export default function Explanation({
  explained: { id, lineKey, element },
  onClose,
}: {
  explained: Explained;
  onClose: () => void;
}) {
  const { view } = useLiveCompany();
  const row = view?.rows.find((one) => one.id === id);
  const [showsAll, setShowsAll] = useState(false);
  useEffect(() => {
    element.setAttribute("aria-expanded", "true");
    return () => element.removeAttribute("aria-expanded");
  }, [element]);
  // New data or a filter may have given the button to another line, or removed it.
  const isGone = useNow(
    () =>
      !element.isConnected ||
      element.closest<HTMLElement>("[data-line]")?.dataset["line"] !== lineKey,
  );
  useEffect(() => {
    if (isGone || row === undefined) onClose();
  }, [isGone, row, onClose]);
  if (row === undefined) return null;
  return (
    <Popover.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      {/* A panel outside of the page's landmarks would be missing from its outline. */}
      <Popover.Portal container={document.getElementById("main")} className="absolute">
        <Popover.Positioner
          anchor={element}
          align="start"
          alignOffset={-4}
          sideOffset={6}
          positionMethod="fixed"
          collisionPadding={8}
          className="z-20 outline-none"
        >
          <Popover.Popup
            aria-label={whatItMeans(VERDICT_LABEL[row.verdict])}
            finalFocus={() => element}
            // Tab past either end: without a trigger, the focus would go on from the start of the page.
            onBlur={({ currentTarget, relatedTarget }) => {
              if (relatedTarget === null || currentTarget.contains(relatedTarget)) return;
              onClose();
              element.focus();
            }}
            className="max-h-(--available-height) w-[428px] max-w-[calc(100vw-16px)] overflow-auto rounded border border-ink bg-surface outline-none"
          >
            {showsAll ? (
              <AllVerdicts onBack={() => setShowsAll(false)} />
            ) : (
              <OfRow row={row} onAll={() => setShowsAll(true)} />
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const TERM = "pt-2.5 text-xs text-ink-3";
const PART = "border-t border-line first:border-t-0 pb-2.5";
const FOOT = "flex items-center gap-2 border-t border-line-strong px-3.5 py-2.5";
const LINK = "text-xs underline decoration-control underline-offset-3 hover:decoration-ink";

function OfRow({ row, onAll }: { row: SyncStatusRow; onAll: () => void }) {
  const { asOf, confidence, silence, linked, source } = useLiveCompany();
  const { isKnown, ofEndpoint } = useGivenIncidents();
  const isQuiet = useIsQuiet({ id: row.id, partner: row.partner_name });
  const timeZone = useZone();
  const judgeAt = useJudge();
  const nowMs = useNow((ms) => Math.floor(ms / 1000) * 1000);
  const { judged, apiNowMs, judgedMs } = judgeAt([row], nowMs);
  const [one] = judged;
  if (one === undefined) return null;
  const isFrozen = confidence === "blind";
  const when = { nowMs: apiNowMs, timeZone };
  const incident = ofEndpoint.get(row.id);
  const acknowledged = incident?.acknowledged ?? null;
  const who = whoIsOn(acknowledged);
  const onIt =
    incident === undefined
      ? isKnown
        ? isQuiet
          ? "quiet"
          : "no-incident"
        : "not-known"
      : who === null || acknowledged === null
        ? null
        : { name: calledName(who), isYou: who.isYou, sinceMs: Date.parse(acknowledged.at) };
  const promise =
    row.promise == null
      ? null
      : shownPromiseText(row.promise, judgedMs, {
          timeZone,
          isFrozen,
          isPaused: isPausedAtSource(row),
          isPast: linked !== "",
        });
  const isMissing = promise?.state === "missed" && row.promise?.late_seconds === null;
  const pressing = isMissing ? "missed" : promise?.state === "at_risk" ? "at_risk" : null;
  const asOfMs = instantMs(asOf);
  const { paragraph } = customerWords(
    row.partner_name,
    judged,
    { confidence, asOfMs, silence, isResting: isResting(source.reason) },
    when,
  );
  return (
    <>
      <header className="flex items-center gap-2.5 border-b border-line-strong px-3.5 pt-3 pb-2.5">
        <Badge
          word={one.word}
          text={isFrozen ? `was ${one.word}` : VERDICT_LABEL[one.word]}
          isFrozen={isFrozen}
        />
        <h2 className="min-w-0 text-xs font-normal [overflow-wrap:anywhere] text-ink-2">
          {row.partner_name} / <span className="font-mono">{row.endpoint_key}</span>,{" "}
          {words.at(`${clockTime(judgedMs, timeZone)} ${zoneName(judgedMs, timeZone)}`)}
        </h2>
      </header>
      <dl className="px-3.5 pb-0.5 leading-[19px]">
        <div className={PART}>
          <dt className={TERM}>{words.means}</dt>
          <dd>
            {meaningText(one, isFrozen ? judgedMs : null, when)}
            <AgeRuler judgement={one.judgement} word={one.word} />
          </dd>
        </div>
        {promise === null ? null : (
          <div className={PART}>
            <dt className={TERM}>{words.promise}</dt>
            <dd className="flex items-baseline gap-[7px]">
              <PromiseMark state={promise.state} />
              <span>{promiseSentence(promise)}</span>
            </dd>
          </div>
        )}
        <div className={PART}>
          <dt className={TERM}>{words.action}</dt>
          <dd>{actionText(one, { onIt, promise: pressing, isFrozen }, when)}</dd>
        </div>
        <div className={PART}>
          <dt className={TERM}>{words.tell}</dt>
          <dd className="mt-1 bg-sunken px-2.5 py-2">{paragraph}</dd>
        </div>
      </dl>
      <footer className={FOOT}>
        <CopyButton text={() => paragraph}>{tell.copy}</CopyButton>
        <button type="button" className={LINK} onClick={onAll}>
          {words.all}
        </button>
        <span className="ml-auto max-sm:hidden" aria-hidden="true">
          <Key>{words.close}</Key>
        </span>
      </footer>
    </>
  );
}

/** What each verdict means, and what is shown beside one. */
function AllVerdicts({ onBack }: { onBack: () => void }) {
  return (
    <>
      <h2 className="border-b border-line-strong px-3.5 pt-3 pb-2.5 font-strong">{words.all}</h2>
      <dl className="px-3.5 py-1.5 text-xs/4.5">
        {VERDICTS.map((word) => (
          <div key={word} className="grid grid-cols-[84px_1fr] gap-2 py-1">
            <dt>
              <Badge word={word} text={VERDICT_LABEL[word]} isFrozen={false} />
            </dt>
            <dd>{VERDICT_MEANING[word]}</dd>
          </div>
        ))}
        {STATES.map((state) => (
          <div key={state} className="grid grid-cols-[84px_1fr] gap-2 py-1">
            <dt className="font-medium">{STATE_LABEL[state]}</dt>
            <dd>{STATE_MEANING[state]}</dd>
          </div>
        ))}
      </dl>
      <footer className={FOOT}>
        <button type="button" className={LINK} onClick={onBack}>
          {words.back}
        </button>
      </footer>
    </>
  );
}
