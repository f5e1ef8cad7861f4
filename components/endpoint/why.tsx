"use client";

import { percent } from "@/components/ui/percent";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import type { JudgedRow } from "@/components/drill-down/partner-rows";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { explain } from "@/lib/domain/words/explanation";
import { instantMs } from "@/lib/domain/time/instant";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { absoluteTime, span } from "@/lib/domain/words/format";
import { datedMoment } from "@/lib/domain/words/dates";
import { rulerOf } from "./ruler";
import { rulerLabel, rulerMarks, why } from "./words";

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
    <section className="panel why" aria-labelledby="why">
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
      <AgeRuler judged={judged} />
      <div className="why-columns">
        <table className="sum" aria-label={why.sum}>
          <tbody>
            {sums.map(({ key, label, isField, value, note, isResult }) => (
              <tr key={key} className={isResult ? "sum-result" : undefined}>
                <th scope="row" className={isField ? "font-mono" : undefined}>
                  {label}
                </th>
                <td className="font-mono">{value}</td>
                <td className="sum-note">{note}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <ol className="rules" aria-label={why.rules}>
          {rules.map(({ word: of, text, decided }) => (
            <li key={of} data-decided={decided ? "" : undefined}>
              <span aria-hidden="true">{decided ? "✓" : "–"}</span>
              <b>{VERDICT_LABEL[of]}</b>
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

function AgeRuler({ judged: { judgement, word } }: { judged: JudgedRow }) {
  const ruler = rulerOf(judgement);
  const { ageMs, cadenceMs } = judgement.terms;
  if (ruler === null || ageMs === null || cadenceMs === null) return null;
  const [late, stale] = ruler.marks;
  const label = rulerLabel(ageMs, {
    dueMs: cadenceMs,
    lateMs: late?.ageMs ?? 0,
    staleMs: stale?.ageMs ?? 0,
  });
  // The two texts would overlap: the moving one has both.
  const isNearDue = Math.abs(ruler.age.share - 0.5) < 0.12;
  return (
    <div className="ruler" role="img" aria-label={label}>
      {ruler.zones.map(({ word: of, from, until }) => (
        <span
          key={of}
          className={`ruler-zone ruler-${of}`}
          style={{ left: percent(from), width: percent(until - from) }}
        >
          <span>
            <VerdictIcon shape={of} size={10} />
            {until - from > 0.1 ? VERDICT_LABEL[of] : ""}
          </span>
        </span>
      ))}
      <span
        data-verdict={word}
        className="ruler-fill"
        style={{ width: percent(ruler.age.share) }}
      />
      <span className="ruler-pin is-plumb" style={{ left: percent(0.5) }}>
        {isNearDue ? null : <b>{rulerMarks.due(cadenceMs)}</b>}
      </span>
      <span
        data-verdict={word}
        className="ruler-pin"
        style={{ left: percent(ruler.age.share) }}
        data-side={ruler.age.share > 0.9 ? "end" : ruler.age.share < 0.1 ? "start" : undefined}
      >
        <b>
          {isNearDue ? rulerMarks.ageOf(ageMs, cadenceMs) : rulerMarks.age(ageMs)}
          {ruler.age.isBeyond ? " →" : ""}
        </b>
      </span>
      <span className="ruler-mark" style={{ left: percent(0) }} data-side="start">
        0
      </span>
      {ruler.marks.map(({ ageMs: atMs, share }) => (
        <span key={share} className="ruler-mark" style={{ left: percent(share) }}>
          {span(atMs)}
        </span>
      ))}
      <span className="ruler-mark" style={{ left: percent(1) }} data-side="end">
        {span(8 * cadenceMs)}
      </span>
    </div>
  );
}
