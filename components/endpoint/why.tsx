"use client";

import { percent } from "@/components/ui/percent";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import type { JudgedRow } from "@/components/drill-down/partner-rows";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import type { Verdict } from "@/lib/domain/sync";
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
      <AgeRuler judged={judged} />
      <div className="grid grid-cols-[minmax(0,11fr)_minmax(0,9fr)] gap-x-7 max-sm:grid-cols-1 max-sm:gap-3">
        <table className="w-full border-collapse text-xs" aria-label={why.sum}>
          <tbody>
            {sums.map(({ key, label, isField, value, note, isResult }) => (
              <tr key={key} className={isResult ? "border-t border-control" : undefined}>
                <th
                  scope="row"
                  className={`${CELL} text-left ${isResult ? "font-strong" : "font-normal"} ${isField ? "font-mono" : ""}`}
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

/** By verdict; the others have no range. */
const ZONE: Partial<Record<Verdict, string>> = {
  fresh: "bg-sunken text-fresh-text",
  due: "bg-sunken text-due-text",
  late: "bg-late-wash text-late-text",
  stale: "bg-stale-wash text-stale-text",
};
/** Forced colours drop backgrounds: the ruler's parts use system colours. */
const FORCED = "forced-colors:forced-color-adjust-none";
const PIN = `absolute top-4 -ml-px h-[38px] w-0.5 bg-current forced-colors:bg-[CanvasText] ${FORCED}`;
const PIN_LABEL =
  "absolute -top-[17px] left-0 text-xs font-strong whitespace-nowrap text-ink forced-colors:text-[CanvasText]";
const MARK = "absolute bottom-0.5 text-2xs whitespace-nowrap text-ink-3";
const CENTRED = "-translate-x-1/2";

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
    <div className="relative mb-1 h-[74px]" role="img" aria-label={label}>
      {ruler.zones.map(({ word: of, from, until }) => (
        <span
          key={of}
          className={`absolute top-[22px] h-8 border-b border-l border-b-control border-l-line-strong ${ZONE[of] ?? ""}`}
          style={{ left: percent(from), width: percent(until - from) }}
        >
          <span className="absolute top-0.5 right-1.5 flex items-center gap-1 text-2xs">
            <VerdictIcon shape={of} size={10} />
            {until - from > 0.1 ? VERDICT_LABEL[of] : ""}
          </span>
        </span>
      ))}
      <span
        data-verdict={word}
        className={`absolute top-[41px] left-0 h-[7px] bg-current forced-colors:bg-[Highlight] ${FORCED}`}
        style={{ width: percent(ruler.age.share) }}
      />
      <span className={`text-plumb ${PIN}`} style={{ left: percent(0.5) }}>
        {isNearDue ? null : (
          <b className={`${PIN_LABEL} ${CENTRED}`}>{rulerMarks.due(cadenceMs)}</b>
        )}
      </span>
      <span data-verdict={word} className={PIN} style={{ left: percent(ruler.age.share) }}>
        <b
          className={`${PIN_LABEL} ${ruler.age.share > 0.9 ? "-translate-x-full" : ruler.age.share < 0.1 ? "" : CENTRED}`}
        >
          {isNearDue ? rulerMarks.ageOf(ageMs, cadenceMs) : rulerMarks.age(ageMs)}
          {ruler.age.isBeyond ? " →" : ""}
        </b>
      </span>
      <span className={MARK} style={{ left: percent(0) }}>
        0
      </span>
      {ruler.marks.map(({ ageMs: atMs, share }) => (
        <span key={share} className={`${MARK} ${CENTRED}`} style={{ left: percent(share) }}>
          {span(atMs)}
        </span>
      ))}
      <span className={`${MARK} -translate-x-full`} style={{ left: percent(1) }}>
        {span(8 * cadenceMs)}
      </span>
    </div>
  );
}
