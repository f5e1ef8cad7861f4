import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { WeekState } from "@/lib/domain/learned-week/follow-week";
import { audited, type Change } from "@/lib/server/store/audit/audited";
import type { Database, Transaction, Writer } from "@/lib/server/store/database";
import {
  learnedWeekFeeds,
  learnedWeekProgress,
  learnedWeeks,
} from "@/lib/server/store/schema/learned-weeks";

/** A feed after a look at its record, if anything about it changed. */
export type LookedAt = {
  endpointId: string;
  state: WeekState;
  /** Whether another week is in force, or none any more. */
  isChanged: boolean;
};

/**
 * Writes what a look at some feeds found, in one transaction. A feed that a person has switched off in the meantime
 * stays as it is.
 * @param looked at most 500
 * @param atMs the time of the look, epoch milliseconds on the API's clock
 */
export async function writeLook(
  writer: Writer,
  company: string,
  looked: readonly LookedAt[],
  atMs: number,
): Promise<void> {
  if (looked.length === 0) return;
  const at = new Date(atMs);
  await writer.orm.transaction(async (tx) => {
    // The others wait here, so that versions are committed in their order.
    const version = await nextVersion(tx, company);
    const written = await tx
      .insert(learnedWeekFeeds)
      .values(
        looked.map(({ endpointId, state: { broken, goneMs } }) => ({
          company,
          endpointId,
          brokenFrom: dateOrNull(broken?.fromMs),
          brokenUntil: dateOrNull(broken?.untilMs),
          goneAt: dateOrNull(goneMs),
        })),
      )
      .onConflictDoUpdate({
        target: [learnedWeekFeeds.company, learnedWeekFeeds.endpointId],
        set: {
          brokenFrom: sql`excluded.broken_from`,
          brokenUntil: sql`excluded.broken_until`,
          goneAt: sql`excluded.gone_at`,
        },
        setWhere: eq(learnedWeekFeeds.isOff, false),
      })
      .returning({ endpointId: learnedWeekFeeds.endpointId });
    const mine = new Set(written.map(({ endpointId }) => endpointId));
    const changed = looked.filter(({ endpointId, isChanged }) => isChanged && mine.has(endpointId));
    const ids = changed.map(({ endpointId }) => endpointId);
    await endWeeks(tx, company, ids, { at, version });
    const begun = changed.flatMap(({ endpointId, state: { week } }) =>
      week === null
        ? []
        : {
            company,
            endpointId,
            fromAt: at,
            timeZone: week.timeZone,
            spans: [...week.spans],
            cadenceMs: week.cadenceMs,
            sinceAt: new Date(week.sinceMs),
            version,
          },
    );
    if (begun.length === 0) return;
    await tx
      .insert(learnedWeeks)
      .values(begun)
      // A clock that was set back can show an instant again.
      .onConflictDoUpdate({
        target: [learnedWeeks.company, learnedWeeks.endpointId, learnedWeeks.fromAt],
        set: {
          untilAt: null,
          timeZone: sql`excluded.time_zone`,
          spans: sql`excluded.spans`,
          cadenceMs: sql`excluded.cadence_ms`,
          sinceAt: sql`excluded.since_at`,
          version,
        },
      });
  });
}

/**
 * Ends all weeks of a company that are in force: no look has confirmed them for too long.
 * @param atMs when they stopped being applied, epoch milliseconds on the API's clock
 */
export async function endUnconfirmedWeeks(
  writer: Writer,
  company: string,
  atMs: number,
): Promise<void> {
  await writer.orm.transaction(async (tx) => {
    const version = await nextVersion(tx, company);
    await tx
      .update(learnedWeeks)
      .set({ untilAt: new Date(atMs), version })
      .where(and(eq(learnedWeeks.company, company), isNull(learnedWeeks.untilAt)));
  });
}

/** Notes that all feeds have been looked at. @param atMs end of the record, epoch milliseconds on the API's clock */
export async function writeLookedUntil(
  writer: Writer,
  company: string,
  atMs: number,
): Promise<void> {
  const lookedUntil = new Date(atMs);
  await writer.orm.transaction((tx) =>
    tx
      .insert(learnedWeekProgress)
      .values({ company, version: 0, lookedUntil })
      .onConflictDoUpdate({ target: learnedWeekProgress.company, set: { lookedUntil } }),
  );
}

/**
 * Switches the learned week of an endpoint on or off, and logs it; a repeated request changes nothing. Switched on, it
 * is learned at the next look.
 * @param atMs now, epoch milliseconds on the API's clock
 */
export function switchLearnedWeek(
  { orm }: Pick<Database, "orm">,
  { company, endpointId }: { company: string; endpointId: string },
  isOn: boolean,
  { change, subject, atMs }: { change: Change; subject: string; atMs: number },
): Promise<void> {
  return orm.transaction(async (tx) => {
    const version = await nextVersion(tx, company);
    const values = { isOff: !isOn, brokenFrom: null, brokenUntil: null };
    // Without a row it is on.
    const changed = isOn
      ? await tx
          .update(learnedWeekFeeds)
          .set(values)
          .where(
            and(
              eq(learnedWeekFeeds.company, company),
              eq(learnedWeekFeeds.endpointId, endpointId),
              eq(learnedWeekFeeds.isOff, true),
            ),
          )
          .returning({ endpointId: learnedWeekFeeds.endpointId })
      : await tx
          .insert(learnedWeekFeeds)
          .values({ company, endpointId, ...values })
          .onConflictDoUpdate({
            target: [learnedWeekFeeds.company, learnedWeekFeeds.endpointId],
            set: values,
            setWhere: eq(learnedWeekFeeds.isOff, false),
          })
          .returning({ endpointId: learnedWeekFeeds.endpointId });
    if (changed.length === 0) return;
    if (!isOn) await endWeeks(tx, company, [endpointId], { at: new Date(atMs), version });
    await audited(tx, change, {
      company,
      kind: "learned-week",
      action: isOn ? "on" : "off",
      subject,
    });
  });
}

async function nextVersion(tx: Transaction, company: string): Promise<number> {
  const [row] = await tx
    .insert(learnedWeekProgress)
    .values({ company, version: 1 })
    .onConflictDoUpdate({
      target: learnedWeekProgress.company,
      set: { version: sql`${learnedWeekProgress.version} + 1` },
    })
    .returning({ version: learnedWeekProgress.version });
  if (row === undefined) throw new Error("nothing was written to learned_week_progress");
  return row.version;
}

async function endWeeks(
  tx: Transaction,
  company: string,
  endpointIds: readonly string[],
  { at, version }: { at: Date; version: number },
): Promise<void> {
  if (endpointIds.length === 0) return;
  await tx
    .update(learnedWeeks)
    .set({ untilAt: at, version })
    .where(
      and(
        eq(learnedWeeks.company, company),
        inArray(learnedWeeks.endpointId, [...endpointIds]),
        isNull(learnedWeeks.untilAt),
      ),
    );
}

function dateOrNull(ms: number | null | undefined): Date | null {
  return ms === null || ms === undefined ? null : new Date(ms);
}
