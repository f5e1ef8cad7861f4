import type { Random } from "./random";
import type { World } from "./world";

/** What can go wrong at the API, or on the way to it. */
export const API_FAULTS = [
  "down",
  "reset",
  "server_error",
  "html",
  "hang",
  "slow",
  "truncated",
  "not_json",
  "wrong_type",
  "no_rows",
  "too_large",
  "undecodable",
  "unknown_values",
  "unauthorized",
  "forbidden",
  "narrow_scope",
  "limited",
  "limited_without_headers",
  "limited_absurdly",
  "token_limited",
  "token_down",
  "token_refused",
  "token_garbled",
  "token_short_lived",
  "secret_rotated",
  "shifting_pages",
  "repeated_rows",
  "missing_rows",
  "reordered_rows",
  "worthless_rows",
  "nested",
  "odd_content_type",
  "repeated_page",
  "redirect",
  "old_answer",
  "wrong_date",
  "lost_delete",
] as const;
/** What can go wrong with ourselves. */
export const OWN_FAULTS = [
  "kill",
  "hang_process",
  "second_instance",
  "database_away",
  "clock_jump",
  "database_clock_jump",
  "disk_full",
  "database_full",
  "database_read_only",
  "database_hangs",
  "restore",
  "upgrade",
] as const;
/** What can go wrong with those who receive messages. */
export const RECEIVER_FAULTS = [
  "receiver_down",
  "receiver_lost_answer",
  "receiver_limited",
  "receiver_hangs",
  "receiver_error",
] as const;

export const FAULT_KINDS = [...API_FAULTS, ...OWN_FAULTS, ...RECEIVER_FAULTS] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];
export type ApiFault = (typeof API_FAULTS)[number];

/** A fault and when it lasts, true time in epoch milliseconds. */
export type Fault = {
  kind: FaultKind;
  fromMs: number;
  untilMs: number;
  /** The company that it hits; null: all of them. */
  company: string | null;
  /** How many of the requests it hits, 0 to 1. */
  share: number;
  /**
   * What else the kind needs: milliseconds of a jump, operations until a kill, how old the `Date` of an old answer is, the
   * write before which a process hangs until it is replaced (0: it hangs at once), whether a new secret ends the tokens of
   * the old one (1: it does).
   */
  amount: number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** At the end nothing goes wrong, so that all has to recover. */
const CALM_MS = 100 * MINUTE_MS;

/** After how long without faults everything has to have recovered. A shorter calm proves nothing. */
export const RECOVERED_MS = 60 * MINUTE_MS;

/** How long the end of a run is free of faults, milliseconds; 0 if it isn't played to its end. */
export function calmMs({ days, minutes }: { days: number; minutes: number | null }): number {
  const isPlayedOut = minutes === null || minutes * MINUTE_MS >= days * DAY_MS;
  return isPlayedOut ? Math.min(CALM_MS, (days * DAY_MS) / 3) : 0;
}

/** When a backup was last restored, true time in epoch milliseconds; null: never. */
export function lastRestoreMs(faults: readonly Fault[], nowMs: number): number | null {
  const done = faults.flatMap(({ kind, untilMs }) =>
    kind === "restore" && untilMs <= nowMs ? untilMs : [],
  );
  return done.length === 0 ? null : Math.max(...done);
}

/**
 * Draws the faults of a run: mostly short ones, some of hours.
 * @param kinds those that may occur
 * @param perDay how many on average
 */
export function drawFaults(
  random: Random,
  world: World,
  { days, kinds, perDay }: { days: number; kinds: readonly FaultKind[]; perDay: number },
): Fault[] {
  const [first, ...others] = kinds;
  if (first === undefined) return [];
  const count = Math.round(days * perDay * (0.5 + random.next()));
  return Array.from({ length: count }, (_, at) => {
    const own = random.of(`fault ${at}`);
    const kind = own.pick([first, ...others]);
    const overMs = world.startMs + days * DAY_MS - calmMs({ days, minutes: null });
    const fromMs = Math.floor(world.startMs + own.next() * (overMs - world.startMs));
    const lasts = own.chance(0.7) ? own.whole(1, 15) : own.whole(15, 240);
    const [one, ...rest] = world.companies;
    return {
      kind,
      fromMs,
      untilMs: Math.min(fromMs + lasts * MINUTE_MS, overMs),
      company: one === undefined || own.chance(0.4) ? null : own.pick([one, ...rest]).slug,
      share: own.chance(0.6) ? 1 : own.next(),
      amount: amountOf(kind, own),
    };
  }).toSorted((a, b) => a.fromMs - b.fromMs);
}

/** The `Age` of an old answer, milliseconds. */
export const OLD_MS = 900_000;

function amountOf(kind: FaultKind, random: Random): number {
  if (kind === "kill") return random.whole(1, 60);
  if (kind === "hang_process") return random.chance(0.5) ? 0 : random.whole(1, 40);
  if (kind === "secret_rotated") return random.whole(0, 1);
  // Caches keep the `Date` of what they stored; some renew it.
  if (kind === "old_answer") return random.pick([OLD_MS, 0]);
  if (kind === "clock_jump" || kind === "database_clock_jump" || kind === "wrong_date") {
    const size = random.pick([20_000, 10 * MINUTE_MS, 3 * 60 * MINUTE_MS, 40 * DAY_MS]);
    return (random.chance(0.5) ? 1 : -1) * Math.round(size * (0.5 + random.next()));
  }
  return 0;
}

/** One line for people who read what happened. */
export function faultText({ kind, fromMs, untilMs, company, share, amount }: Fault): string {
  const time = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  const much = share === 1 ? "" : `, ${Math.round(share * 100)} % of requests`;
  return `${kind} ${time(fromMs)} to ${time(untilMs)}, ${company ?? "all companies"}${much}${amount === 0 ? "" : `, ${amount}`}`;
}
