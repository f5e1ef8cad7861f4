import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { clockTime, moment } from "@/lib/domain/words/format";
import { timeTicks } from "@/lib/domain/words/time-axis";
import {
  chartPlaces,
  isTickNearNow,
  isTickShown,
  type ChartGiven,
  type ChartPlaces,
} from "./chart-places";
import { chart as words } from "./words";

const TICKS = 6;
/** How often it moves. */
const STEP_MS = 10_000;
/** Labels nearer to each other than this would overlap, percent of the width. */
const APART = 16;

/**
 * How many customers were behind over time, who was on it when, and the next attempts.
 * @param given.first name of the customer where it began; null: of several
 * @param given.people who acknowledged it first, and when on our clock; null: no one
 * @param given.feeds number of feeds that are behind; null: not known yet
 * @param given.unseen those of them that we can't see, and their earliest last check
 * @param given.frozenMs the instant shown, epoch milliseconds; null while live
 */
export function FleetChart({
  steps,
  attemptsMs,
  first,
  people,
  customers,
  feeds,
  unseen,
  frozenMs,
}: Omit<ChartGiven, "nowMs"> & {
  first: string | null;
  people: { name: string; atMs: number } | null;
  customers: number;
  feeds: number | null;
  unseen: { amount: number; sinceMs: number | null };
  frozenMs: number | null;
}) {
  const timeZone = useZone();
  const nowMs = useNow((ms) => Math.floor((frozenMs ?? ms) / STEP_MS) * STEP_MS);
  const places = chartPlaces({ steps, attemptsMs, nowMs });
  const { fromMs, untilMs, nowX, peak, attempts, stairs } = places;
  const x = (ms: number) => `${((ms - fromMs) / (untilMs - fromMs)) * 100}%`;
  const at = (ms: number) => moment(ms, nowMs, timeZone);
  const unseenText =
    unseen.amount === 0 || unseen.sinceMs === null
      ? ""
      : words.unseen(unseen.amount, at(unseen.sinceMs));
  const isNow = unseen.amount === 0 && frozenMs === null;
  const beganMs = steps[0]?.atMs ?? nowMs;
  const beganX = stairs[0]?.x ?? nowX;
  const ahead = attemptsMs.filter((ms) => ms > nowMs).toSorted((a, b) => a - b);
  const [firstMs, lastMs] = [ahead[0], ahead.at(-1)];
  const lastX = attempts.at(-1);
  const isSpread = peak.x - beganX > 2 && nowX - peak.x > APART;
  return (
    <div className="pe-chart">
      <svg
        role="img"
        aria-label={words.label(
          customers,
          at(beganMs),
          peak.companies,
          isNow ? words.isNow : unseenText,
        )}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
      >
        <path className="fill-sunken" d={`${stairsPath(places)}V100H${beganX}Z`} />
        <path className="pe-chart-line" d={stairsPath(places)} />
        <path className="pe-chart-base" d="M0 100H100" />
      </svg>
      <span className="pe-chart-mark is-left" style={{ width: `${beganX}%` }}>
        <span title={first ?? undefined}>{words.began(at(beganMs), first)}</span>
      </span>
      {isSpread ? (
        <span className="pe-chart-mark" style={{ left: `${peak.x}%` }}>
          <span>{words.peak(at(peak.atMs), peak.companies)}</span>
        </span>
      ) : null}
      {people === null || people.atMs < fromMs || people.atMs > nowMs ? null : (
        <span className="pe-chart-mark is-person" style={{ left: x(people.atMs) }}>
          <span>{words.acknowledged(at(people.atMs), people.name)}</span>
        </span>
      )}
      <span className="pe-chart-mark is-now" style={{ left: `${nowX}%` }}>
        <b>
          {words.now(customers, feeds)}
          {unseenText === "" ? null : <span className="pe-chart-unseen">{unseenText}</span>}
        </b>
      </span>
      {attempts.map((left) => (
        <span key={left} className="pe-chart-attempt" style={{ left: `${left}%` }} />
      ))}
      {lastX === undefined || firstMs === undefined || lastMs === undefined ? null : (
        <span
          className={lastX > 70 ? "pe-chart-attempts is-left" : "pe-chart-attempts"}
          style={lastX > 70 ? { right: `${100 - (attempts[0] ?? lastX)}%` } : { left: `${lastX}%` }}
        >
          {words.attempts(clockTime(firstMs, timeZone), clockTime(lastMs, timeZone))}
        </span>
      )}
      {timeTicks(fromMs, untilMs, timeZone, TICKS).map(({ atMs, label }) =>
        isTickShown(atMs, places, nowMs) ? (
          <span
            key={atMs}
            className={`pe-chart-tick ${isTickNearNow(atMs, places, nowMs) ? "is-near" : ""}`}
            style={{ left: x(atMs) }}
          >
            {label}
          </span>
        ) : null,
      )}
      <b className="pe-chart-tick" style={{ left: `${nowX}%` }}>
        {words.nowTick(clockTime(nowMs, timeZone), isNow)}
      </b>
    </div>
  );
}

function stairsPath({ stairs, nowX }: ChartPlaces): string {
  const [first] = stairs;
  if (first === undefined) return "";
  const rest = stairs.map(({ x, y }) => `H${x}V${100 - y}`).join("");
  return `M${first.x} 100${rest}H${nowX}`;
}
