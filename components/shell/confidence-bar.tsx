"use client";

import { useNow } from "@/lib/client/use-now";
import type { Source } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/time/instant";
import { freshnessLedger } from "@/lib/domain/ledger";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { absoluteTime } from "@/lib/domain/words/format";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { ConfidenceNote } from "./trouble/trouble";
import { ledgerHops, type LedgerHop } from "./ledger-hops";
import { useLiveCompany } from "./live-company";
import { useZone } from "@/components/shell/time/zone";
import {
  AGES,
  BLIND_ALERT,
  BUDGET,
  BUDGET_TITLE,
  FRESHNESS,
  PER_MINUTE,
  SOURCE_CACHE_TITLE,
  STARTING,
  budgetLabel,
  budgetText,
  confidenceLabel,
  lastCheckTitle,
  partnerDataTitle,
  screenTitle,
} from "./words";

/** Confidence, the age of each hop, and the upstream budget. */
export function ConfidenceBar() {
  const { confidence, source } = useLiveCompany();
  const isStarting = source.last_success_at === null && source.reason === "starting";
  const label = isStarting ? STARTING : CONFIDENCE_LABEL[confidence];
  return (
    <section aria-label={FRESHNESS} className={`confidence is-${confidence}`}>
      <div className="confidence-state" role="status" aria-label={confidenceLabel(label)}>
        <ConfidenceIcon confidence={confidence} />
        <strong>{label}</strong>
        {confidence === "live" ? null : <ConfidenceNote />}
      </div>
      <FreshnessLedger />
      <span className="flex-1" />
      <BudgetMeter budget={source.budget} />
      {confidence === "blind" && !isStarting ? (
        <p role="alert" className="sr-only">
          {BLIND_ALERT}
        </p>
      ) : null}
    </section>
  );
}

/** A hop with the details of its age. */
export type Hop = LedgerHop & { title: string };

export const sameHops = (a: readonly Hop[], b: readonly Hop[]) =>
  a.every(({ text, title, isBad }, at) => {
    const other = b[at];
    return text === other?.text && title === other.title && isBad === other.isBad;
  });

function FreshnessLedger() {
  const { ledgerRows, source, lastAnswerMs, isServerSilent, confidence } = useLiveCompany();
  const timeZone = useZone();
  const hops = useNow((nowMs): readonly Hop[] => {
    const lastSuccessMs = instantMs(source.last_success_at);
    const apiNowMs = nowMs + source.api_clock_offset_ms;
    const ledger = freshnessLedger(
      ledgerRows,
      { nowMs, apiNowMs, lastSuccessMs, lastAnswerMs },
      source.rhythm_seconds,
    );
    const { partnerData, snapshot } = ledger;
    const at = (ms: number) => absoluteTime(ms, timeZone);
    const titles = [
      partnerData === null
        ? ""
        : partnerDataTitle(
            at(apiNowMs - partnerData.youngestMs),
            at(apiNowMs - partnerData.oldestMs),
          ),
      SOURCE_CACHE_TITLE,
      snapshot === null ? "" : lastCheckTitle(at(snapshot.asOfMs)),
      screenTitle(at(lastAnswerMs)),
    ];
    const { reason, recording_stopped: stopped = null } = source;
    const given = { confidence, reason, isServerSilent, isRecording: stopped === null };
    return ledgerHops(ledger, given).map((hop, place) => ({ ...hop, title: titles[place] ?? "" }));
  }, sameHops);
  return <LedgerHops hops={hops} />;
}

/** Data ages from the partner to the screen, in order. */
export function LedgerHops({ hops }: { hops: readonly Hop[] }) {
  return (
    <ol className="ledger" aria-label={AGES}>
      {hops.map(({ name, text, title, isBad }) => (
        <li key={name} className={isBad ? "is-bad" : undefined} title={title}>
          <span>{name}</span>
          <span className="sr-only">, </span>
          <b>{text}</b>
        </li>
      ))}
    </ol>
  );
}

const SEGMENTS = 30;

/** Our requests per minute to the upstream's host. Viewers add nothing to it. */
export function BudgetMeter({ budget }: { budget: Source["budget"] }) {
  const share = budget.limit > 0 ? Math.min(1, budget.used / budget.limit) : 0;
  const segments = Math.ceil(share * SEGMENTS);
  return (
    <div
      className="budget"
      title={BUDGET_TITLE}
      role="meter"
      aria-label={BUDGET}
      aria-valuemin={0}
      aria-valuemax={budget.limit}
      aria-valuenow={Math.min(budget.used, budget.limit)}
      aria-valuetext={budgetLabel(budget.used, budget.limit)}
    >
      <svg width="89" height="10" aria-hidden="true" className="budget-segments">
        <path d={segmentsPath(0, SEGMENTS)} fill="var(--line-strong)" />
        <path d={segmentsPath(0, segments)} fill="var(--ink)" />
      </svg>
      <span>
        <b>{budgetText(budget.used, budget.limit)}</b> {PER_MINUTE}
      </span>
    </div>
  );
}

function segmentsPath(from: number, to: number): string {
  let path = "";
  for (let at = from; at < to; at += 1) path += `M${at * 3} 0h2v10h-2z`;
  return path;
}
