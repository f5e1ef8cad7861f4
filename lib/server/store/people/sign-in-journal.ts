import { inArray } from "drizzle-orm";
import { groupBy } from "@/lib/domain/collections/group-by";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLine } from "@/lib/server/security-log";
import type { Log } from "@/lib/server/log";
import {
  appendInstallationEvents,
  type InstallationEvent,
} from "@/lib/server/store/audit/installation-log";
import type { Database } from "@/lib/server/store/database";
import { people } from "@/lib/server/store/schema/people";
import { pause } from "@/lib/server/waiting";
import { HOUR_MS } from "@/lib/domain/time/units";

/**
 * Writes sign-in and session events to the installation-wide audit log: one event per security log line, within
 * limits that clients can't raise. Lines queue in memory while the database is unavailable.
 */
export type SignInJournal = {
  /** Queues a line; never throws. */
  take: (line: SecurityLine) => void;
  /** Starts writing queued lines. */
  start(database: Pick<Database, "orm">): void;
  /** Makes one final attempt to write the queue, then stops. */
  stop(): Promise<void>;
};

/** Security log events and their audit log actions. */
const ACTIONS = {
  sign_in: "sign-in",
  sign_in_refused: "refuse",
  sign_in_locked: "lock",
  sign_out: "sign-out",
  session_ended: "end",
} as const;
type Journalled = keyof typeof ACTIONS;

/** Hourly limit per kind of event; further ones are only counted, in one summary event. */
const MAX_PER_HOUR: Readonly<Record<Journalled, number>> = {
  sign_in: 1_000,
  sign_out: 1_000,
  // Can be triggered without signing in.
  sign_in_refused: 100,
  sign_in_locked: 100,
  session_ended: 100,
};
const MAX_WAITING = 2_000;
const AT_ONCE = 200;
const RETRY_MS = 5_000;

/** Subject when no account matches. */
const UNKNOWN_ACCOUNT = "unknown account";

type Waiting = { line: SecurityLine & { event: Journalled }; atMs: number };
type Hour = { startedMs: number; taken: number; left: number };

export function createSignInJournal({ clock, log }: { clock: Clock; log: Log }): SignInJournal {
  let waiting: Waiting[] = [];
  let lost = 0;
  const hours = new Map<Journalled, Hour>();
  const stopping = new AbortController();
  let database: Pick<Database, "orm"> | null = null;
  let writing: Promise<void> | null = null;

  /** Null: over the limit, only counted. */
  function admitted(line: Waiting["line"]): Waiting["line"] | null {
    const nowMs = clock.monotonicMs();
    let hour = hours.get(line.event);
    if (hour === undefined || nowMs - hour.startedMs >= HOUR_MS) {
      const left = hour?.left ?? 0;
      hour = { startedMs: nowMs, taken: 0, left: 0 };
      hours.set(line.event, hour);
      if (left > 0) add({ event: line.event, fields: { count: left, others: true } });
    }
    if (hour.taken < MAX_PER_HOUR[line.event]) {
      hour.taken += 1;
      return line;
    }
    hour.left += typeof line.fields["count"] === "number" ? line.fields["count"] : 1;
    return null;
  }

  function add(line: Waiting["line"]): void {
    if (waiting.length < MAX_WAITING) waiting.push({ line, atMs: clock.nowMs() });
    else lost += 1;
  }

  function wake(): void {
    if (database === null || stopping.signal.aborted || waiting.length === 0) return;
    writing ??= writeAll(database).finally(() => {
      writing = null;
      wake();
    });
  }

  async function writeAll(into: Pick<Database, "orm">): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, AT_ONCE);
      try {
        await write(into, batch);
        waiting = waiting.slice(batch.length);
        if (lost > 0) log.warn({ event: "evidence_lost", count: lost }, "not in the audit log");
        lost = 0;
      } catch (err) {
        log.warn(
          { event: "evidence_waits", count: waiting.length, err },
          "not in the audit log yet",
        );
        if (stopping.signal.aborted) return;
        await pause(clock, RETRY_MS, stopping.signal);
        if (stopping.signal.aborted) return;
      }
    }
  }

  return {
    take({ event, fields }) {
      if (!isJournalled(event)) return;
      const line = admitted({ event, fields });
      if (line !== null) add(line);
      wake();
    },
    start(opened) {
      database = opened;
      wake();
    },
    async stop() {
      stopping.abort();
      await writing;
      if (database !== null) await writeAll(database);
    },
  };
}

function isJournalled(event: string): event is Journalled {
  return Object.hasOwn(ACTIONS, event);
}

async function write({ orm }: Pick<Database, "orm">, batch: readonly Waiting[]): Promise<void> {
  const ids = batch.flatMap(({ line }) => idOf(line) ?? []);
  await orm.transaction(async (tx) => {
    const found =
      ids.length === 0
        ? []
        : await tx
            .select({ id: people.id, name: people.name, email: people.email })
            .from(people)
            .where(inArray(people.id, [...new Set(ids)]));
    const known = new Map(found.map((person) => [person.id, person]));
    for (const [atMs, own] of groupBy(batch, (one) => one.atMs)) {
      const events = own.map(({ line }) => eventOf(line, known));
      await appendInstallationEvents(tx, atMs, events);
    }
  });
}

const idOf = ({ fields }: Pick<SecurityLine, "fields">) =>
  typeof fields["person"] === "string" ? fields["person"] : null;

function eventOf(
  { event, fields }: Waiting["line"],
  known: ReadonlyMap<string, NonNullable<InstallationEvent["person"]>>,
): InstallationEvent {
  const person = known.get(idOf({ fields }) ?? "") ?? null;
  // For refusals the client's identity is unknown; only the account it tried is known.
  const isTheirs = event === "sign_in" || event === "sign_out";
  const { person: _, name: __, ...facts } = fields;
  return {
    kind: "session",
    action: ACTIONS[event],
    person: isTheirs ? person : null,
    subject: person?.email ?? (fields["others"] === true ? "several accounts" : UNKNOWN_ACCOUNT),
    detail: { ...facts, because: becauseOf(fields) },
  };
}

/** For example "from 192.0.2.1, limit of the account, 12 times". */
function becauseOf(fields: SecurityLine["fields"]): string {
  const { address, addresses, why, reason, limit, count } = fields;
  const beside = fields["beside_provider"];
  return [
    typeof address === "string" ? `from ${address}` : null,
    typeof addresses === "number" ? `from ${addresses} addresses` : null,
    typeof why === "string" ? why : null,
    typeof reason === "string" ? reason.replaceAll("_", " ") : null,
    typeof beside === "string" ? `password while the provider was ${beside}` : null,
    typeof limit === "string" ? `limit of the ${limit}` : null,
    typeof count === "number" && count > 1 ? `${count} times` : null,
  ]
    .filter((part) => part !== null)
    .join(", ");
}
