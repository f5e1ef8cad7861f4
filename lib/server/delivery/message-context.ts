import { sharedShiftMs } from "@/lib/domain/fleet-incidents/shared-axis";
import type { SourceReason } from "@/lib/domain/sync";
import { readLimitedIncidents } from "@/lib/server/store/delivery/group-facts";
import {
  readNotifiedIncidents,
  readVisibilityMessages,
  type NotifiedIncidents,
  type VisibilityMessage,
} from "@/lib/server/store/delivery/notified";
import {
  NO_PROMISE_MESSAGES,
  readOpenWarnings,
  readPromiseDays,
  readPromiseMessages,
  type PromiseMessages,
} from "@/lib/server/store/delivery/promise-facts";
import type { Orm } from "@/lib/server/store/database";
import { readNames, readDeliveryFacts } from "@/lib/server/store/delivery/delivery-facts";
import type { RowBudget } from "@/lib/server/store/most-rows";
import { readPartnerRows } from "@/lib/server/store/sync/read-company";
import type { CompanyFeeds } from "./company-feeds";
import type { MessageContext } from "./compose";

/** Reads the context for a company's messages. @param given.sinceMs see `readDeliveryFacts`, as for `budget` */
export async function readMessageContext(
  orm: Orm,
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
  notified: NotifiedIncidents;
  visibility: readonly VisibilityMessage[];
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

/**
 * @param given.live our clock, since when messages about its visibility are read on it, and which destinations may be told
 *   of the company; null: messages that were written don't matter
 * @param given.isPromised whether messages about its promises are wanted; those that were announced are read anyway
 */
export async function readPlannedCompany(
  orm: Orm,
  about: Parameters<typeof readMessageContext>[1],
  given: Pick<PlannedCompany, "host" | "reason" | "rhythmMs"> & {
    live: { nowMs: number; visibilitySinceMs: number; destinations: readonly string[] } | null;
    isPromised: boolean;
  },
  budget: Pick<RowBudget, "read">,
): Promise<PlannedCompany> {
  const { live, isPromised, ...rest } = given;
  const context = await readMessageContext(orm, about, budget);
  const { slug } = about.company;
  const rows = context.record.incidents.map(({ row }) => row);
  const [notified, visibility, open, limited] = await Promise.all([
    readNotifiedIncidents(orm, slug, live === null ? [] : rows.map(({ id }) => id)),
    live === null ? [] : readVisibilityMessages(orm, slug, live.visibilitySinceMs),
    live === null ? [] : readOpenWarnings(orm, slug, live),
    readLimitedIncidents(orm, slug, rows),
  ]);
  const { sinceMs } = about;
  const isAbout = isPromised || open.length > 0;
  const [promised, promises] = await Promise.all([
    isAbout && live !== null
      ? readPromiseMessages(orm, slug, { sinceMs, open })
      : NO_PROMISE_MESSAGES,
    isAbout
      ? readPromiseDays(
          orm,
          slug,
          {
            sinceMs: sinceMs + context.record.offsetMs,
            also: open.map(({ day }) => day),
            offsetMs: context.record.offsetMs,
          },
          budget,
        )
      : [],
  ]);
  const shiftMs = sharedShiftMs(context.record.offsetMs);
  return {
    ...rest,
    context: { ...context, promises },
    notified,
    visibility,
    promised,
    limited,
    shiftMs,
  };
}
