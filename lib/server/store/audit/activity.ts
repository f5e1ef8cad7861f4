import { and, asc, count, desc, eq, gte, inArray, like, lt, or, sql, type SQL } from "drizzle-orm";
import type { Outcome } from "@/lib/domain/deletion";
import { foldText, needlesOf } from "@/lib/domain/text/fold-text";
import type { Database } from "@/lib/server/store/database";
import { auditActions, auditLog } from "@/lib/server/store/schema/audit";
import { deletionItems } from "@/lib/server/store/schema/deletions";

/** The audit log grouped by action, newest first. On our clock. */

export type LoggedRow = typeof auditLog.$inferSelect;

/** A search, as `searchFor` prepares it. */
type ActivitySearch = {
  fileId: string;
  /** Each has to be found in what an action is about or in who requested it; `emails`: of the people whom it finds. */
  words: readonly { needle: string; emails: readonly string[] }[];
};

/** Filters for actions; null applies no filter. */
export type ActivityFilters = {
  search: ActivitySearch | null;
  /** Latest outcome: one that was `unknown` and was resolved later counts only as the resolved outcome. */
  outcome: Outcome | null;
  personEmail: string | null;
  /** Time of the request: inclusive start and exclusive end, epoch milliseconds. */
  fromMs: number | null;
  untilMs: number | null;
};

/** Filters that every action passes. */
export const UNFILTERED: ActivityFilters = {
  search: null,
  outcome: null,
  personEmail: null,
  fromMs: null,
  untilMs: null,
};

/** Start of a page: an offset, or the action to continue after. */
type ActivityStart = { offset: number } | { behind: { atMs: number; seq: number } };

/** An action with all of its rows, in order; the first one opened it. */
export type LoggedAction = { id: string; rows: readonly [LoggedRow, ...LoggedRow[]] };

/** Actions of a company, newest first. */
export async function readActions(
  { orm }: Pick<Database, "orm">,
  company: string,
  filters: ActivityFilters,
  { start, limit }: { start: ActivityStart; limit: number },
): Promise<LoggedAction[]> {
  const { requestedAt, seq } = auditActions;
  // Selects indexed columns only, so that a deep page skips index entries instead of rows.
  const found = await orm
    .select({ seq })
    .from(auditActions)
    .where(
      and(
        matching(company, filters),
        "behind" in start
          ? sql`(${requestedAt}, ${seq}) < (${new Date(start.behind.atMs).toISOString()}::timestamptz, ${start.behind.seq})`
          : undefined,
      ),
    )
    .orderBy(desc(requestedAt), desc(seq))
    .limit(limit)
    .offset("offset" in start ? start.offset : 0);
  if (found.length === 0) return [];
  const opening = await orm
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.company, company),
        inArray(
          auditLog.seq,
          found.map((row) => row.seq),
        ),
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.seq));
  const actions = new Map<string, { id: string; rows: [LoggedRow, ...LoggedRow[]] }>(
    opening.map((first) => [first.actionId, { id: first.actionId, rows: [first] }]),
  );
  const rows = await orm
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.company, company), inArray(auditLog.actionId, [...actions.keys()])))
    .orderBy(asc(auditLog.seq));
  for (const row of rows) {
    const action = actions.get(row.actionId);
    if (action !== undefined && row.seq > action.rows[0].seq) action.rows.push(row);
  }
  return [...actions.values()];
}

export async function countActions(
  { orm }: Pick<Database, "orm">,
  company: string,
  filters: ActivityFilters,
): Promise<number> {
  const [row] = await orm
    .select({ count: count() })
    .from(auditActions)
    .where(matching(company, filters));
  return row?.count ?? 0;
}

/**
 * Prepares a search for words in what actions are about, in names and addresses of the people who requested them, or for
 * a complete file id.
 * @param actors from `readActors`
 */
export function searchFor(
  query: string,
  actors: readonly { name: string; email: string }[],
): ActivitySearch {
  const people = actors.map(({ name, email }) => ({ email, text: foldText(`${name} ${email}`) }));
  return {
    fileId: query.trim(),
    words: needlesOf(query).map((needle) => ({
      needle,
      emails: people.filter(({ text }) => text.includes(needle)).map(({ email }) => email),
    })),
  };
}

/** All people who have requested an action, with their latest names. */
export async function readActors(
  { pool }: Pick<Database, "pool">,
  company: string,
): Promise<{ name: string; email: string }[]> {
  // Loose index scan from person to person: there are millions of actions, and few people.
  const { rows } = await pool.query<{ name: string | null; email: string }>(
    `with recursive actor as (
       (select person_email, seq from audit_actions
        where company = $1 and person_email is not null
        order by person_email desc, asked_at desc, seq desc limit 1)
       union all
       select next.person_email, next.seq from actor cross join lateral (
         select person_email, seq from audit_actions
         where company = $1 and person_email < actor.person_email
         order by person_email desc, asked_at desc, seq desc limit 1
       ) next
     )
     select log.person_name as name, log.person_email as email
     from actor join audit_log log on log.company = $1 and log.seq = actor.seq
     order by 1, 2`,
    [company],
  );
  return rows.map(({ name, email }) => ({ name: name ?? email, email }));
}

/**
 * When unknown outcomes among some actions are checked next, by action; null where no check is planned.
 * @param actionIds of file deletions: `DELETION/POSITION`
 */
export async function readNextLooks(
  { orm }: Pick<Database, "orm">,
  company: string,
  actionIds: readonly string[],
): Promise<Map<string, Date | null>> {
  if (actionIds.length === 0) return new Map();
  // Few outcomes are unknown at a time, and a partial index holds just those.
  const id = sql<string>`${deletionItems.deletionId} || '/' || ${deletionItems.position}`;
  const rows = await orm
    .select({ id, nextLookAt: deletionItems.nextLookAt })
    .from(deletionItems)
    .where(
      and(
        eq(deletionItems.company, company),
        sql`${deletionItems.outcome} = 'unknown'`,
        inArray(id, [...actionIds]),
      ),
    );
  return new Map(rows.map((row) => [row.id, row.nextLookAt]));
}

function matching(company: string, filters: ActivityFilters): SQL | undefined {
  const { search, outcome, personEmail, fromMs, untilMs } = filters;
  const { requestedAt } = auditActions;
  return and(
    eq(auditActions.company, company),
    personEmail === null ? undefined : eq(auditActions.personEmail, personEmail),
    outcome === null ? undefined : eq(auditActions.outcome, outcome),
    fromMs === null ? undefined : gte(requestedAt, new Date(fromMs)),
    untilMs === null ? undefined : lt(requestedAt, new Date(untilMs)),
    search === null ? undefined : foundBy(search),
  );
}

function foundBy({ fileId, words }: ActivitySearch): SQL | undefined {
  const parts = words.map(({ needle, emails }) =>
    or(
      like(auditActions.searchText, `%${needle.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
      emails.length === 0 ? undefined : inArray(auditActions.personEmail, [...emails]),
    ),
  );
  return or(and(...parts), eq(auditActions.fileId, fileId));
}
