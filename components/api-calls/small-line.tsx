import { smallLineText } from "./words";

const WIDTH = 100;
const HEIGHT = 22;
/** A limit this many times the largest value would flatten the line. */
const FURTHEST_LIMIT = 2;

type Values = readonly (number | null)[];

/**
 * A week of readings as a step line, over the week before and the allowance; plain SVG.
 * @param at epoch milliseconds of the readings, ascending
 * @param before readings a week earlier, at the same places; null: not observed
 */
export function SmallLine({
  at,
  values,
  before,
  allowed,
}: {
  at: readonly number[];
  values: Values;
  before: Values;
  allowed: number | null;
}) {
  const known = values.filter((value) => value !== null);
  const most = Math.max(1, ...known, ...before.map((value) => value ?? 0));
  const limit = allowed !== null && allowed <= most * FURTHEST_LIMIT ? allowed : null;
  const top = Math.max(most, limit ?? 0);
  const y = (value: number) => tenth(HEIGHT - 1 - (value / top) * (HEIGHT - 2));
  return (
    <span role="img" aria-label={smallLineText(known)} className="small-line">
      <svg
        width="100%"
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {limit === null ? null : <path className="is-limit" d={`M0 ${y(limit)}H${WIDTH}`} />}
        <path className="is-before" d={stepPath(at, before, y)} />
        <path d={stepPath(at, values, y)} />
      </svg>
    </span>
  );
}

/** The path of a step line, broken where a reading is missing. */
function stepPath(at: readonly number[], values: Values, y: (value: number) => number): string {
  const [fromMs = 0] = at;
  const lengthMs = Math.max(1, (at.at(-1) ?? 0) - fromMs);
  const x = (index: number) => tenth((((at[index] ?? 0) - fromMs) / lengthMs) * WIDTH);
  return values
    .map((value, index) => {
      if (value === null) return "";
      const isJoined = index > 0 && (values[index - 1] ?? null) !== null;
      const start = isJoined ? `V${y(value)}` : `M${x(index)} ${y(value)}`;
      return index + 1 < at.length ? `${start}H${x(index + 1)}` : start;
    })
    .join("");
}

const tenth = (value: number) => Math.round(value * 10) / 10;
