import type { PromiseDay } from "@/lib/domain/delivery/plan-promises";
import { sharedShiftMs } from "@/lib/domain/fleet-incidents/shared-axis";
import type { SourceReason } from "@/lib/domain/sync";
import { readLimitedIncidents } from "@/lib/server/store/delivery/group-facts";
import {
  NO_MESSAGES,
  readWrittenAbout,
  type WrittenAbout,
} from "@/lib/server/store/delivery/notified";
import {
  NO_PROMISE_MESSAGES,
  readOpenWarnings,
  readPromiseDays,
  readPromiseMessages,
  type PromiseMessages,
} from "@/lib/server/store/delivery/promise-facts";
import type { Database, Orm } from "@/lib/server/store/database";
import {
  readDeliveryFacts,
  readNames,
  type DeliveryFacts,
} from "@/lib/server/store/delivery/delivery-facts";
import type { RowBudget } from "@/lib/server/store/most-rows";
import { readPartnerRows } from "@/lib/server/store/sync/read-company";
import type { CompanyFeeds } from "@/lib/domain/words/messages/company-feeds";
import type { MessageContext } from "./compose";

/** Reads the context for a company's messages. @param given.sinceMs see `readDeliveryFacts`, as for `budget` */
export async function readMessageContext(
  orm: Database["orm"],
  given: Omit<MessageContext, "record" | "names" | "promises">,
  budget: Pick<RowBudget, "read">,
): Promise<MessageContext> {
  const record = await readDeliveryFacts(orm, given.company.slug, given.sinceMs, budget);
  return { ...given, record, promises: [], names: await readNames(orm, record) };
}

/**
 * Reads the feeds that messages about some partners describe.
 * @param checkedMs the last check, epoch milliseconds on the API's clock; null: none, so nothing is known
 */
export async function readFeeds(
  orm: Orm,
  company: string,
  partners: readonly string[],
  checkedMs: number | null,
): Promise<CompanyFeeds | null> {
  if (partners.length === 0 || checkedMs === null) return null;
  return {
    checkedMs,
    rows: await readPartnerRows(orm, company, [...new Set(partners)], checkedMs),
  };
}

/** A company as the planning of messages needs it: read once for all destinations. */
export type PlannedCompany = {
  context: MessageContext;
  notified: WrittenAbout;
  promised: PromiseMessages;
  /** When incidents began whose endpoints were rate limited, by id. */
  limited: ReadonlyMap<number, number>;
  /** Scheme, name and port of its API; null: unknown. */
  host: string | null;
  /** Why it can't be seen now; null: it can, or that isn't known. */
  reason: SourceReason | null;
  /** Between two checks, milliseconds. */
  rhythmMs: number;
  /** See `sharedShiftMs`. */
  shiftMs: number;
};

/** How a company is read for planning. */
type Reading = {
  /**
   * Our clock, since when messages about its visibility are read on it, and which destinations may be told of the
   * company; null: messages that were written don't matter.
   */
  live: { nowMs: number; visibilitySinceMs: number; destinations: readonly string[] } | null;
  /** Whether messages about its promises are wanted; those that were announced are read anyway. */
  isPromised: boolean;
};

/** @throws Failure `invalid_request` when it needs more rows than are left in the budget */
export async function readPlannedCompany(
  orm: Database["orm"],
  about: Parameters<typeof readMessageContext>[1],
  given: Pick<PlannedCompany, "host" | "reason" | "rhythmMs"> & Reading,
  budget: Pick<RowBudget, "read">,
): Promise<PlannedCompany> {
  const { live, isPromised, ...rest } = given;
  const context = await readMessageContext(orm, about, budget);
  const { slug } = about.company;
  const rows = context.record.incidents.map(({ row }) => row);
  const [notified, limited, promises] = await Promise.all([
    live === null
      ? NO_MESSAGES
      : readWrittenAbout(orm, slug, { ...live, incidentIds: rows.map(({ id }) => id) }),
    readLimitedIncidents(orm, slug, rows),
    readPromises(orm, slug, context.record, { live, isPromised, sinceMs: about.sinceMs }, budget),
  ]);
  return {
    ...rest,
    context: { ...context, promises: promises.days },
    notified,
    promised: promises.written,
    limited,
    shiftMs: sharedShiftMs(context.record.offsetMs),
  };
}

/** What messages about a company's promises are planned from. */
async function readPromises(
  orm: Orm,
  company: string,
  { promisesClosedMs, offsetMs }: DeliveryFacts,
  { live, isPromised, sinceMs }: Reading & { sinceMs: number },
  budget: Pick<RowBudget, "read">,
): Promise<{ days: PromiseDay[]; written: PromiseMessages }> {
  const nothing = { days: [], written: NO_PROMISE_MESSAGES };
  if (promisesClosedMs === null) return nothing;
  const open = live === null ? [] : await readOpenWarnings(orm, company, live);
  if (!isPromised && open.length === 0) return nothing;
  const also = open.map(({ day }) => day);
  const since = { sinceMs: sinceMs + offsetMs, closedMs: promisesClosedMs };
  const days = await readPromiseDays(orm, company, { ...since, also }, budget);
  if (days.length === 0 || live === null) return { ...nothing, days };
  return { days, written: await readPromiseMessages(orm, company, { sinceMs, open }) };
}
