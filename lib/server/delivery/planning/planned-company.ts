import { sharedShiftMs } from "@/lib/domain/fleet-incidents/shared-axis";
import type { SourceReason } from "@/lib/domain/sync";
import { readLimitedIncidents } from "@/lib/server/store/delivery/group-facts";
import {
  readNotifiedIncidents,
  readVisibilityMessages,
  type NotifiedIncidents,
  type VisibilityMessage,
} from "@/lib/server/store/delivery/notified";
import type { Orm } from "@/lib/server/store/database";
import type { RowBudget } from "@/lib/server/store/most-rows";
import type { MessageContext } from "@/lib/server/delivery/compose";
import { readMessageContext } from "@/lib/server/delivery/message-context";

/** A company as the planning of messages needs it: read once for all destinations. */
export type PlannedCompany = {
  context: MessageContext;
  notified: NotifiedIncidents;
  visibility: readonly VisibilityMessage[];
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

/** @param given.visibilitySinceMs how far back messages about its visibility are read, on our clock; null: not at all */
export async function readPlannedCompany(
  orm: Orm,
  about: Parameters<typeof readMessageContext>[1],
  given: Pick<PlannedCompany, "host" | "reason" | "rhythmMs"> & {
    visibilitySinceMs: number | null;
  },
  budget: Pick<RowBudget, "read">,
): Promise<PlannedCompany> {
  const { visibilitySinceMs, ...rest } = given;
  const context = await readMessageContext(orm, about, budget);
  const { slug } = about.company;
  const rows = context.record.incidents.map(({ row }) => row);
  const isLive = visibilitySinceMs !== null;
  const [notified, visibility, limited] = await Promise.all([
    readNotifiedIncidents(orm, slug, isLive ? rows.map(({ id }) => id) : []),
    isLive ? readVisibilityMessages(orm, slug, visibilitySinceMs) : [],
    readLimitedIncidents(orm, slug, rows),
  ]);
  const shiftMs = sharedShiftMs(context.record.offsetMs);
  return { ...rest, context, notified, visibility, limited, shiftMs };
}
