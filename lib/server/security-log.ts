import { randomUUID } from "node:crypto";
import type { Clock } from "./clock";
import { errorForLog, type Log } from "./log";
import { routeLabel } from "./metrics";
import { isDatabaseOutage } from "./outage";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { iso } from "@/lib/domain/time/instant";

type EventSpec = {
  level: "info" | "warn" | "error";
  says: string;
  /** Maximum number of kinds logged separately; further ones are counted together. */
  kinds: number;
};

/** Security events. Their names are an interface for monitoring (docs/operating.md), and must not change. */
const SECURITY_EVENTS = {
  sign_in: { level: "info", says: "signed in", kinds: 20 },
  sign_in_refused: { level: "warn", says: "refused to sign in", kinds: 10 },
  sign_in_locked: { level: "warn", says: "too many attempts to sign in", kinds: 10 },
  provider_refused: {
    level: "warn",
    says: "the identity provider's response was rejected",
    kinds: 10,
  },
  backchannel_logout: { level: "info", says: "the identity provider ended sessions", kinds: 20 },
  backchannel_refused: { level: "warn", says: "refused: not a logout token", kinds: 10 },
  sign_out: { level: "info", says: "signed out", kinds: 20 },
  session_ended: { level: "warn", says: "a session that has ended was used", kinds: 10 },
  person_invited: { level: "info", says: "a person was invited", kinds: 20 },
  password_link_made: { level: "info", says: "a link to choose a password was created", kinds: 20 },
  password_set: { level: "info", says: "a person chose a password", kinds: 20 },
  password_changed: { level: "info", says: "a person changed their password", kinds: 20 },
  second_factor_on: { level: "info", says: "a person turned on a second factor", kinds: 20 },
  second_factor_off: { level: "info", says: "a person turned off their second factor", kinds: 20 },
  second_factor_reset: { level: "info", says: "a person's second factor was reset", kinds: 20 },
  recovery_codes_renewed: { level: "info", says: "a person got new recovery codes", kinds: 20 },
  recovery_code_used: { level: "warn", says: "signed in with a recovery code", kinds: 20 },
  password_link_refused: { level: "warn", says: "refused: no such link, or over", kinds: 10 },
  grants_changed: { level: "info", says: "a person's access was changed", kinds: 20 },
  person_disabled: { level: "info", says: "a person was disabled", kinds: 20 },
  person_enabled: { level: "info", says: "a person was enabled", kinds: 20 },
  sessions_ended: { level: "info", says: "a person's sessions were ended", kinds: 20 },
  reauthenticated: { level: "info", says: "confirmed who they are", kinds: 20 },
  reauth_refused: {
    level: "warn",
    says: "wrong password or code when confirming who they are",
    kinds: 10,
  },
  forbidden: { level: "warn", says: "refused: the role does not allow it", kinds: 10 },
  cross_site_refused: { level: "warn", says: "refused: it came from another site", kinds: 10 },
  pairing_opened: { level: "info", says: "a display shows a pairing code", kinds: 10 },
  pairing_failed: { level: "warn", says: "a wrong pairing code was entered", kinds: 10 },
  display_paired: { level: "info", says: "a display was paired", kinds: 20 },
  display_revoked: { level: "info", says: "a display was unpaired", kinds: 20 },
  display_refused: { level: "warn", says: "refused: the display is not paired", kinds: 10 },
  share_link_made: { level: "info", says: "a share link was created", kinds: 20 },
  share_link_revoked: { level: "info", says: "a share link was revoked", kinds: 20 },
  share_link_refused: { level: "warn", says: "refused: no such share link, or over", kinds: 10 },
  api_token_made: { level: "info", says: "an API token was created", kinds: 20 },
  api_token_revoked: { level: "info", says: "an API token was revoked", kinds: 20 },
  api_token_refused: { level: "warn", says: "refused: no such API token, or over", kinds: 10 },
  metrics_refused: { level: "warn", says: "refused: /metrics is not for this client", kinds: 10 },
  token_refused: { level: "warn", says: "the v3 API refused a client", kinds: 10 },
  host_refused: { level: "warn", says: "refused: unknown host name", kinds: 10 },
  method_refused: { level: "warn", says: "refused: method not supported", kinds: 10 },
  connection_refused: { level: "warn", says: "refused: too many connections", kinds: 10 },
  limit_hit: { level: "warn", says: "a limit on requests was reached", kinds: 10 },
} as const satisfies Record<string, EventSpec>;

/** Failures that clients can cause repeatedly. */
const FAILURES = {
  request_failed: { level: "error", says: "a request failed unexpectedly", kinds: 4 },
  request_unanswered: { level: "warn", says: "a request could not be answered", kinds: 2 },
  v3_request_failed: { level: "error", says: "a request to the v3 API failed", kinds: 2 },
  error_printed: { level: "error", says: "a page or a library printed an error", kinds: 4 },
  sessions_unchecked: { level: "warn", says: "sessions cannot be checked", kinds: 2 },
  links_unchecked: { level: "warn", says: "share links cannot be checked", kinds: 2 },
  tokens_unchecked: { level: "warn", says: "API tokens cannot be checked", kinds: 2 },
  displays_unchecked: { level: "warn", says: "displays cannot be checked", kinds: 2 },
  provider_silent: { level: "warn", says: "the identity provider does not answer", kinds: 2 },
  use_unrecorded: { level: "warn", says: "a last use was not recorded", kinds: 2 },
  credential_unrenewed: {
    level: "warn",
    says: "a display's credential was not renewed",
    kinds: 2,
  },
  database_silent: { level: "warn", says: "the database does not answer", kinds: 2 },
} as const satisfies Record<string, EventSpec>;

export const EVENTS = { ...SECURITY_EVENTS, ...FAILURES };

type SecurityEvent = keyof typeof SECURITY_EVENTS;
type FailureEvent = keyof typeof FAILURES;
type EventName = SecurityEvent | FailureEvent;

/** The client, and the person if known. */
export type Whom = {
  /** The client's name, see `addressName`. */
  address: string;
  person?: { id: string; name: string } | null;
};

/** Must contain neither secrets nor user input. */
export type Facts = Readonly<Record<string, string | boolean | null>>;

/**
 * Log lines that clients can cause. The first of a kind is written immediately, repetitions as one count per minute, so
 * that clients can't flood the log, whatever their number of requests and addresses. The `count`s of an event's lines
 * add up to its number of occurrences.
 */
export type SecurityLog = {
  /** Logs a security event. Events with the same address, person and facts are of one kind. */
  record(event: SecurityEvent, whom: Whom, facts?: Facts): void;
  /**
   * Logs a failure, the first of a kind with its cause. Failures with the same cause are of one kind.
   * @param request the request that failed; null: none
   * @returns the id of the line that contains or will count it, for the error response
   */
  failed(
    event: FailureEvent,
    error: unknown,
    request: Pick<Request, "method" | "url"> | null,
  ): string;
  /** Writes the pending counts. */
  flush(): void;
};

/** Limit on all lines per minute, apart from one additional line per event. */
const BYTES_A_MINUTE = 40_000;
/** Level, time and message of a line. */
const ENVELOPE_BYTES = 160;
const LONGEST_FACT = 80;
const MAX_ADDRESSES_COUNTED = 1_000;

/** Counted occurrences of one kind. The bounds limit memory as well as output; `sinceMs`: epoch milliseconds. */
type Kind = {
  id: string | null;
  address: string;
  /** Members of each of its lines. */
  fields: Readonly<Record<string, unknown>>;
  /** Occurrences since its last line at `sinceMs`. */
  count: number;
  sinceMs: number;
};
type Others = { id: string; addresses: Set<string>; count: number; sinceMs: number };
type Remembered = { kinds: Map<string, Kind>; others: Others | null };

/** A logged security event. */
export type SecurityLine = { event: string; fields: Readonly<Record<string, unknown>> };

/** @param onLine receives every line about a security event when it is written; must not throw */
export function createSecurityLog({
  clock,
  log,
  onLine,
}: {
  clock: Clock;
  log: Log;
  onLine?: (line: SecurityLine) => void;
}): SecurityLog {
  const remembered = new Map<EventName, Remembered>();
  let bytesLeft = BYTES_A_MINUTE;
  let isCounting = false;

  /** @returns false: the limit of this minute is used up */
  function write(event: EventName, fields: object, more = "", always = false): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(fields)) + ENVELOPE_BYTES;
    if (bytes > bytesLeft && !always) return false;
    bytesLeft -= bytes;
    const { level, says } = EVENTS[event];
    log[level]({ event, ...fields }, `${says}${more}`);
    if (event in SECURITY_EVENTS) onLine?.({ event, fields: { ...fields } });
    return true;
  }

  function countWithOthers(of: Remembered, address: string, count: number, nowMs: number): Others {
    of.others ??= { id: randomUUID(), addresses: new Set(), count: 0, sinceMs: nowMs };
    of.others.count += count;
    if (of.others.addresses.size < MAX_ADDRESSES_COUNTED) of.others.addresses.add(address);
    return of.others;
  }

  /** @returns the id of the line that contains or will count the occurrence; null: lines of this kind have no id */
  function take(
    event: EventName,
    name: string,
    { id, address, fields }: Pick<Kind, "id" | "address" | "fields">,
    first: () => object = () => ({}),
  ): string | null {
    const of = remembered.get(event) ?? { kinds: new Map<string, Kind>(), others: null };
    remembered.set(event, of);
    if (!isCounting) void keepCounting();
    const nowMs = clock.nowMs();
    const known = of.kinds.get(name);
    if (known !== undefined) {
      known.count += 1;
      return known.id;
    }
    const hasPlace = of.kinds.size < EVENTS[event].kinds;
    if (hasPlace && write(event, { ...fields, ...first(), count: 1 })) {
      of.kinds.set(name, { id, address, fields, count: 0, sinceMs: nowMs });
      return id;
    }
    return countWithOthers(of, address, 1, nowMs).id;
  }

  async function keepCounting(): Promise<void> {
    isCounting = true;
    while (remembered.size > 0) {
      await clock.sleep(MINUTE_MS);
      bytesLeft = BYTES_A_MINUTE;
      writeCounts(true);
    }
    isCounting = false;
  }

  /** @param isMinuteOver false: kinds without repetitions aren't over yet */
  function writeCounts(isMinuteOver: boolean): void {
    const nowMs = clock.nowMs();
    for (const [event, of] of remembered) {
      for (const [name, kind] of of.kinds) {
        const { fields, count, sinceMs } = kind;
        if (count === 0 && !isMinuteOver) continue;
        if (count === 0) {
          // Removed, so that the next occurrence is logged immediately.
          of.kinds.delete(name);
          if (event in FAILURES) write(event, { ...fields, count }, ": over");
        } else if (write(event, { ...fields, count, since: iso(sinceMs) }, ", again")) {
          Object.assign(kind, { count: 0, sinceMs: nowMs });
        } else {
          of.kinds.delete(name);
          countWithOthers(of, kind.address, count, sinceMs);
        }
      }
      if (of.others !== null) {
        const { id, addresses, count, sinceMs } = of.others;
        const which = event in FAILURES ? { id } : { addresses: addresses.size };
        write(event, { ...which, count, since: iso(sinceMs) }, ", others", true);
        of.others = null;
      }
      if (of.kinds.size === 0) remembered.delete(event);
    }
  }

  return {
    record(event, { address, person }, facts = {}) {
      const shortened = Object.fromEntries(
        Object.entries(facts).map(([key, fact]) => [key, cut(fact)]),
      );
      const who = person ? { person: person.id, name: cut(person.name) } : {};
      const fields = { address: cut(address), ...who, ...shortened };
      const name = JSON.stringify([address, person?.id, shortened]);
      take(event, name, { id: null, address, fields });
    },

    failed(event, error, request) {
      const id = randomUUID();
      const first = () => ({ ...(request && requestFields(request)), err: errorForLog(error) });
      return take(event, causeOf(error), { id, address: "", fields: { id } }, first) ?? id;
    },

    flush: () => writeCounts(false),
  };
}

/** Identifies a cause by type, code and first stack frame, because the message may vary with each request. */
function causeOf(error: unknown): string {
  if (isDatabaseOutage(error)) return "database";
  let root = error;
  for (let depth = 0; depth < 10 && root instanceof Error && root.cause instanceof Error; depth++) {
    root = root.cause;
  }
  if (!(root instanceof Error)) return typeof root;
  const { name, message, stack = "" } = root;
  const code: unknown = Reflect.get(root, "code");
  const [frame = ""] = stack
    .slice(stack.indexOf(message) + message.length)
    .trim()
    .split("\n");
  return [name, typeof code === "string" ? code : "", frame].join(" ");
}

/** Method and route label. The path isn't logged, because it may contain names of partners and people, or a secret. */
function requestFields({ method, url }: Pick<Request, "method" | "url">) {
  return { method: method.slice(0, 10), route: routeLabel(new URL(url).pathname) };
}

function cut<T>(fact: T): T | string {
  return typeof fact === "string" ? fact.slice(0, LONGEST_FACT) : fact;
}
