"use client";

import { AgeRuler } from "@/components/drill-down/age-ruler";
import type { JudgedRow } from "@/components/drill-down/partner-rows";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { explain } from "@/lib/domain/words/verdict/explanation";
import { instantMs } from "@/lib/domain/time/instant";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { absoluteTime } from "@/lib/domain/words/format";
import { datedMoment } from "@/lib/domain/words/dates";
import { why } from "./words";

/** Why the endpoint has its verdict: the ruler, the sum, the rules. */
export function Why({
  judged,
  apiNowMs,
  judgedMs,
  sinceMs,
}: {
  judged: JudgedRow;
  apiNowMs: number;
  /** The moment that the endpoint was judged at: now, or the snapshot's once blind. */
  judgedMs: number;
  /** Start of the verdict, as recorded; null: not known (yet). */
  sinceMs: number | null;
}) {
  const { asOf, confidence } = useLiveCompany();
  const timeZone = useZone();
  const { row, word, judgement } = judged;
  const asOfMs = instantMs(asOf);
  const isFrozen = confidence === "blind";
  const { sums, rules } = explain(row, row.known, judgement, {
    nowMs: apiNowMs,
    judgedMs,
    timeZone,
  });
  return (
    <section className="panel" aria-labelledby="why">
      <header>
        <h2 id="why">
          {why.heading(word, isFrozen)}
          {sinceMs === null || isFrozen ? null : (
            <time
              className="font-normal text-ink-2"
              dateTime={new Date(sinceMs).toISOString()}
              title={absoluteTime(sinceMs, timeZone)}
            >
              {" "}
              {why.since(datedMoment(sinceMs, apiNowMs, timeZone))}
            </time>
          )}
        </h2>
        <p>{asOfMs === null ? "" : why.source(absoluteTime(asOfMs, timeZone))}</p>
      </header>
      <AgeRuler {...judged} />
      <div className="grid grid-cols-[minmax(0,11fr)_minmax(0,9fr)] gap-x-7 max-sm:grid-cols-1 max-sm:gap-3">
        <table className="w-full border-collapse text-xs" aria-label={why.sum}>
          <tbody>
            {sums.map(({ key, label, isField, value, note, isResult }) => (
              <tr key={key} className={isResult ? "border-t border-control" : undefined}>
                <th
                  scope="row"
                  className={`${CELL} text-left max-[360px]:wrap-anywhere max-[360px]:whitespace-normal ${isResult ? "font-strong" : "font-normal"} ${isField ? "font-mono" : ""}`}
                >
                  {label}
                </th>
                <td
                  className={`${CELL} pl-2.5 text-right font-mono ${isResult ? "font-strong" : ""}`}
                >
                  {value}
                </td>
                <td className="py-[3px] pl-2.5 align-baseline text-ink-3">{note}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <ol aria-label={why.rules}>
          {rules.map(({ word: of, text, decided }) => (
            <li
              key={of}
              className={`grid grid-cols-[18px_74px_1fr] border-t border-line py-[5px] first:border-t-0 ${decided ? "text-ink" : "text-ink-2"}`}
            >
              <span aria-hidden="true">{decided ? "✓" : "–"}</span>
              <b className={decided ? "font-strong" : "font-medium"}>{VERDICT_LABEL[of]}</b>
              <span>
                <span className="sr-only">{decided ? why.applied : why.notApplied} </span>
                {text}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

const CELL = "py-[3px] align-baseline whitespace-nowrap";
