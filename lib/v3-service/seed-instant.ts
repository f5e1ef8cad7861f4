/** Years that can be stored and written with four digits. */
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");
const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
const NUMBER = "(\\d+(?:[.,]\\d+)?)";
const DURATION = new RegExp(
  `^([+-])?P(?=.)(?:(\\d+)Y)?(?:(\\d+)M)?(?:${NUMBER}W)?(?:${NUMBER}D)?` +
    `(?:T(?=.)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
);

/**
 * Reads an instant of a seed file.
 * @param text an ISO 8601 timestamp with an offset ("2026-03-01T08:00:00Z"), or an ISO 8601 duration, optionally
 *   signed, relative to `nowMs` ("-PT42M", "P1DT12H")
 * @param nowMs time of loading, epoch milliseconds
 * @returns epoch milliseconds; null if `text` is neither, or is outside years 1 to 9999
 */
export function readInstant(text: string, nowMs: number): number | null {
  const ms = TIMESTAMP.test(text) ? readTimestamp(text) : addDuration(nowMs, text);
  return ms !== null && ms >= EARLIEST_MS && ms <= LATEST_MS ? ms : null;
}

function readTimestamp(text: string): number | null {
  const ms = Date.parse(text.replace(",", "."));
  if (Number.isNaN(ms)) return null;
  // `Date` would roll "02-30" over into March; such a seed is invalid.
  const day = Number(text.slice(8, 10));
  const daysInMonth = new Date(
    Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0),
  ).getUTCDate();
  return day <= daysInMonth ? ms : null;
}

function addDuration(fromMs: number, text: string): number | null {
  const parts = DURATION.exec(text);
  if (!parts) return null;
  const sign = parts[1] === "-" ? -1 : 1;
  const amount = (index: number) => Number((parts[index] ?? "0").replace(",", "."));
  const fixedMs =
    ((((amount(4) * 7 + amount(5)) * 24 + amount(6)) * 60 + amount(7)) * 60 + amount(8)) * 1000;
  const months = sign * (amount(2) * 12 + amount(3));
  return Math.round(addMonths(fromMs, months) + sign * fixedMs);
}

/** Adds calendar months in UTC; a day beyond the end of the month becomes its last day. */
function addMonths(fromMs: number, months: number): number {
  if (months === 0) return fromMs;
  const date = new Date(fromMs);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}
