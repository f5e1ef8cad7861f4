import { VerdictIcon } from "@/components/marks/verdict-icon";
import { percent } from "@/components/ui/percent";
import type { Verdict } from "@/lib/domain/sync";
import type { Judgement } from "@/lib/domain/verdict";
import { span } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { rulerOf } from "./ruler";
import { rulerLabel, rulerMarks } from "./ruler-words";

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
/** In shares of the width. Narrower zones have only their shape, and the narrowest have none. */
const WORD_WIDTH = 0.1;
const SHAPE_WIDTH = 0.04;
/** Two ages nearer than this would overlap on a phone. */
const MARK_WIDTH = 0.2;
/** The age at the end would overlap one that is nearer to it. */
const END_WIDTH = 0.15;

/** The age of an endpoint's data among the ages at which its verdict changes; nothing without an age or a cadence. */
export function AgeRuler({ judgement, word }: { judgement: Judgement; word: Verdict }) {
  const ruler = rulerOf(judgement);
  const { ageMs, countedAgeMs: countedMs, cadenceMs } = judgement.terms;
  if (ruler === null || ageMs === null || countedMs === null || cadenceMs === null) return null;
  const age = { ageMs, countedMs };
  const [late, stale] = ruler.marks;
  const label = rulerLabel(age, { dueMs: cadenceMs, ...ruler.from });
  // The two texts would overlap on a phone: the moving one has both. "44 m counted" is longer than an age.
  const areMarksNear =
    late !== undefined && stale !== undefined && stale.share - late.share < MARK_WIDTH;
  const isNearDue = Math.abs(ruler.age.share - 0.5) < (countedMs === ageMs ? 0.14 : 0.2);
  return (
    <div className="relative mt-1.5 mb-1 h-[74px]" role="img" aria-label={label}>
      {ruler.zones.map(({ word: of, from, until }) => (
        <span
          key={of}
          className={`absolute top-[22px] h-8 border-b border-l border-b-control border-l-line-strong ${ZONE[of] ?? ""}`}
          style={{ left: percent(from), width: percent(until - from) }}
        >
          {until - from < SHAPE_WIDTH ? null : (
            <span
              className={`absolute top-0.5 flex items-center gap-1 text-2xs ${until - from > WORD_WIDTH ? "right-1.5" : "inset-x-0 h-4 justify-center"}`}
            >
              <VerdictIcon shape={of} size={10} />
              {until - from > WORD_WIDTH ? VERDICT_LABEL[of] : ""}
            </span>
          )}
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
          {isNearDue ? rulerMarks.ageOf(age, cadenceMs) : rulerMarks.age(age)}
          {ruler.age.isBeyond ? " →" : ""}
        </b>
      </span>
      <span className={MARK} style={{ left: percent(0) }}>
        0
      </span>
      {ruler.marks.map(({ ageMs: atMs, share }) => (
        <span
          key={share}
          className={`${MARK} ${!areMarksNear ? CENTRED : share === late.share ? "-translate-x-full" : ""}`}
          style={{ left: percent(share) }}
        >
          {span(atMs)}
        </span>
      ))}
      {ruler.marks.some(({ share }) => share > 1 - END_WIDTH) ? null : (
        <span className={`${MARK} -translate-x-full`} style={{ left: percent(1) }}>
          {span(8 * cadenceMs)}
        </span>
      )}
    </div>
  );
}
