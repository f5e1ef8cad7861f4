import type { Fault } from "../faults";
import { Broken, type Scene } from "../simulation";
import { localTime, offsetOf, startOfDay } from "./local-time";
import type { Feed } from "../world";
import { createRestoreWatch } from "./restore-watch";

type Row = {
  company: string;
  endpoint_id: string;
  deadline_id: string;
  date: string;
  due_ms: string;
  limit_ms: string;
  closed_ms: string;
  received_ms: string | null;
  outcome: string;
  excuse: string | null;
  rule: { by: string; timeZone: string; dataFrom: string | null };
};
type Gap = { company: string; from_ms: string; until_ms: string };
type Made = {
  company: string;
  id: string;
  partner_name: string | null;
  endpoint_id: string | null;
  rule: { by: string; days: string[]; timeZone: string };
  made_ms: string;
  ended_ms: string | null;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Faults with which we know a wrong time of the API, or wrong rows. */
const BLURRING: ReadonlySet<string> = new Set([
  "wrong_date",
  "old_answer",
  "missing_rows",
  "no_rows",
  "restore",
]);

/** Every promised day has one outcome, and it is the one that the partner's runs deserve. */
export function createPromisesCheck() {
  const known = new Map<string, string>();
  /** Each promise as it was seen first, and those that have changed since. */
  const first = new Map<string, string>();
  const changed = new Set<string>();
  const isRestored = createRestoreWatch();
  let nextMs = 0;
  return async (scene: Scene, isEnd: boolean): Promise<void> => {
    const { time, control } = scene;
    if (isRestored(scene)) known.clear();
    const made = await readMade(control);
    for (const { id, rule } of made) {
      const before = first.get(id) ?? JSON.stringify(rule);
      first.set(id, before);
      if (before !== JSON.stringify(rule)) changed.add(id);
    }
    if (time.nowMs() < nextMs && !isEnd) return;
    nextMs = time.nowMs() + HOUR_MS;
    const rows = await control.rows<Row>(
      `select company, endpoint_id, deadline_id, date, outcome, excuse, rule,
         (extract(epoch from due_at) * 1000)::bigint as due_ms,
         (extract(epoch from limit_at) * 1000)::bigint as limit_ms,
         (extract(epoch from closed_at) * 1000)::bigint as closed_ms,
         (extract(epoch from received_at) * 1000)::bigint as received_ms
       from deadline_days`,
    );
    const fresh = rows.filter((row) => !known.has(keyOf(row)));
    for (const row of rows) {
      const before = known.get(keyOf(row));
      if (before !== undefined && before !== row.outcome)
        throw new Broken("promises", `${keyOf(row)} was ${before}, and is ${row.outcome} now`);
      known.set(keyOf(row), row.outcome);
    }
    if (fresh.length > 0) {
      const gaps = await control.rows<Gap>(
        `select company, (extract(epoch from from_at) * 1000)::bigint as from_ms,
           (extract(epoch from until_at) * 1000)::bigint as until_ms from gaps`,
      );
      for (const row of fresh) checkDay(scene, row, gaps);
    }
    if (isEnd) checkAllClosed(scene, rows, { made, changed });
  };
}

const keyOf = ({ company, endpoint_id, deadline_id, date }: Row) =>
  `${company} ${endpoint_id}, promise ${deadline_id} of ${date}`;

function checkDay({ world, api, faults }: Scene, row: Row, gaps: readonly Gap[]): void {
  const { company, outcome, rule } = row;
  const [dueMs, limitMs, closedMs] = [row.due_ms, row.limit_ms, row.closed_ms].map(Number) as [
    number,
    number,
    number,
  ];
  const name = keyOf(row);
  const shown = localTime(dueMs, rule.timeZone);
  if (shown.date !== row.date) throw new Broken("promises", `${name} is due on ${shown.date}`);
  // Only a time that the clocks skip is shown as another.
  const isSkipped = localTime(dueMs - HOUR_MS, rule.timeZone).time === shown.time;
  const isChanged = offsetOf(dueMs - DAY_MS, rule.timeZone) !== offsetOf(dueMs, rule.timeZone);
  if (shown.time !== rule.by && !isSkipped && !isChanged)
    throw new Broken("promises", `${name} by ${rule.by} is due at ${shown.time}`);

  const feed = world.companies
    .find(({ slug }) => slug === company)
    ?.feeds.find(({ id }) => id === row.endpoint_id);
  if (feed === undefined) throw new Broken("promises", `${name} is of no feed`);
  const skewMs = api.skewMs(company);
  const isBlurred = faults.some(
    (fault) =>
      BLURRING.has(fault.kind) &&
      (fault.company ?? company) === company &&
      fault.fromMs + skewMs < closedMs &&
      fault.untilMs + aheadMs(fault) + skewMs > dueMs - 2 * feed.cadenceMs - HOUR_MS,
  );
  if (isBlurred) return;
  const dayMs = startOfDay(dueMs, rule.timeZone);
  // What comes by webhook has no cadence.
  const isScheduled = feed.statusAt(dueMs - skewMs) !== "webhook";
  const fromMs = isScheduled ? Math.max(dayMs, dueMs - 2 * feed.cadenceMs) : dayMs;
  const landedMs = landedWithin(feed, { fromMs: fromMs - skewMs, untilMs: limitMs - skewMs });
  if (outcome === "met" && landedMs === null)
    throw new Broken("promises", `${name} is met, but nothing was received in time`);
  const receivedMs = Number(row.received_ms);
  const isInTime = fromMs <= receivedMs && receivedMs <= limitMs;
  const isTrue = feed.landingAt(receivedMs - skewMs)?.finishedMs === receivedMs - skewMs;
  if (outcome === "met" && !(isInTime && isTrue))
    throw new Broken(
      "promises",
      `${name} is met by data of ${new Date(receivedMs).toISOString()}, which wasn't received in its time`,
    );
  if (outcome === "missed" && landedMs !== null)
    throw new Broken(
      "promises",
      `${name} is missed, but data was received at ${new Date(landedMs + skewMs).toISOString()}`,
    );
  const wasBlind = gaps.some(
    (gap) =>
      gap.company === company && Number(gap.from_ms) < closedMs && Number(gap.until_ms) > fromMs,
  );
  if (outcome === "not_observed" && !wasBlind && feed.landingAt(limitMs - skewMs) !== null)
    throw new Broken("promises", `${name} is not checked, but all of its time was observed`);
}

/** A date in the future closes the days until then, once it has lasted. */
const aheadMs = ({ kind, amount }: Fault) => (kind === "wrong_date" ? Math.max(0, amount) : 0);

/** The first data that a feed received within a period of true time; null: none. */
function landedWithin(
  feed: Feed,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): number | null {
  let first: number | null = null;
  for (let one = feed.landingAt(untilMs); one !== null; one = feed.landingAt(one.finishedMs - 1)) {
    if (one.finishedMs < fromMs) break;
    first = one.finishedMs;
  }
  return first;
}

function readMade(control: Scene["control"]): Promise<Made[]> {
  return control.rows<Made>(
    `select company, id, partner_name, endpoint_id, rule,
       (extract(epoch from made_at) * 1000)::bigint as made_ms,
       (extract(epoch from ended_at) * 1000)::bigint as ended_ms from deadlines`,
  );
}

/** No promised day of a feed that was there is left out, unless its promise has `changed`. */
function checkAllClosed(
  scene: Scene,
  rows: readonly Row[],
  { made, changed }: { made: readonly Made[]; changed: ReadonlySet<string> },
): void {
  const { world, api, time, faults } = scene;
  if (faults.some(({ kind }) => BLURRING.has(kind) || kind === "clock_jump")) return;
  const closed = new Set(rows.map((row) => `${row.endpoint_id} ${row.deadline_id} ${row.date}`));
  for (const { slug, feeds } of world.companies) {
    const own = made.filter(({ company }) => company === slug);
    const apiNowMs = time.nowMs() + api.skewMs(slug);
    for (const { id, rule, endpoint_id, partner_name, made_ms, ended_ms } of own) {
      // Which of several holds is another's test.
      const isOnly = own.every(
        (other) => other.id === id || !isNarrower(other, { endpoint_id, partner_name }),
      );
      if (!isOnly || ended_ms !== null || changed.has(id)) continue;
      const concerned = feeds.filter(
        (feed) =>
          (endpoint_id ?? feed.id) === feed.id && (partner_name ?? feed.partner) === feed.partner,
      );
      for (let ms = Number(made_ms); ms < apiNowMs - 2 * HOUR_MS; ms += 15 * 60_000) {
        const dueMs = Math.ceil(ms / (15 * 60_000)) * 15 * 60_000;
        const shown = localTime(dueMs, rule.timeZone);
        if (shown.time !== rule.by || !rule.days.includes(shown.weekday)) continue;
        if (dueMs <= Number(made_ms) || dueMs > apiNowMs - 3 * HOUR_MS) continue;
        for (const feed of concerned) {
          const isThere = [dueMs, dueMs + 2 * HOUR_MS].every(
            (at) =>
              feed.isListed(at - api.skewMs(slug)) &&
              feed.statusAt(at - api.skewMs(slug)) === "active",
          );
          if (isThere && !closed.has(`${feed.id} ${id} ${shown.date}`))
            throw new Broken(
              "promises",
              `${slug} ${feed.id}, promise ${id} of ${shown.date} has no outcome`,
            );
        }
      }
    }
  }
}

type Scope = Pick<Made, "endpoint_id" | "partner_name">;

/** Whether it takes precedence for some feed of the other. */
function isNarrower(one: Scope, other: Scope): boolean {
  if (one.endpoint_id !== null) return other.endpoint_id === null;
  return one.partner_name !== null && other.partner_name === null;
}
