import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { Grant } from "@/lib/domain/rights";
import { appendHouse, type HouseEvent } from "@/lib/server/store/audit/house";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { tell } from "@/lib/server/store/notifications";
import { LOCKS, lockUntilCommit } from "@/lib/server/store/locks";
import {
  grants,
  passwordLinks,
  people,
  sessions,
  type Claims,
} from "@/lib/server/store/schema/people";
import { toStorable } from "@/lib/server/store/storable";
import { createPerson } from "./people";

/**
 * People as administrators change them. Every change takes the same lock, so that each sees what the one before it
 * has left, and stands in the house's audit log by the same transaction.
 */

/** Everybody, as far as a list needs it to find and order them. */
export type ListedPerson = {
  id: string;
  name: string;
  email: string;
  /** Of their provider; null: a local account. */
  issuer: string | null;
  isDisabled: boolean;
  /** Whether there is anything to sign in with: a password, or a provider. */
  canSignIn: boolean;
  isAdministrator: boolean;
  /** What rules find more grants by; null for a local account. */
  claims: Claims | null;
};

export function readEverybody({ orm }: { orm: Orm }): Promise<ListedPerson[]> {
  return orm
    .select({
      id: people.id,
      name: people.name,
      email: people.email,
      issuer: people.issuer,
      isDisabled: sql<boolean>`${people.disabledAt} is not null`,
      canSignIn: sql<boolean>`${people.passwordHash} is not null or ${people.issuer} is not null`,
      isAdministrator: sql<boolean>`exists (${orm
        .select({ one: sql`1` })
        .from(grants)
        .where(and(eq(grants.personId, people.id), eq(grants.role, "administrator")))})`,
      claims: people.claims,
    })
    .from(people)
    .orderBy(asc(people.id));
}

/** A grant given by hand; `givenBy`: the name of whoever did, null for Plumbline itself. */
export type GivenGrantRow = Grant & { givenBy: string | null; givenAt: Date };

/** What a list says of each person on a page. */
export type PersonFacts = {
  createdAt: Date;
  disabledAt: Date | null;
  /** The latest end of an unused link; null: there is none. */
  linkExpiresAt: Date | null;
  lastSeenAt: Date | null;
  openSessions: number;
  grants: GivenGrantRow[];
};

/** @param nowMs what the ends of sessions and links are judged by */
export async function readFacts(
  { orm }: { orm: Orm },
  ids: readonly string[],
  nowMs: number,
): Promise<Map<string, PersonFacts>> {
  if (ids.length === 0) return new Map();
  const now = new Date(nowMs);
  const rows = await orm
    .select({
      id: people.id,
      createdAt: people.createdAt,
      disabledAt: people.disabledAt,
      linkExpiresAt: sql`(${orm
        .select({ latest: sql`max(${passwordLinks.expiresAt})` })
        .from(passwordLinks)
        .where(
          and(
            eq(passwordLinks.personId, people.id),
            isNull(passwordLinks.usedAt),
            gt(passwordLinks.expiresAt, now),
          ),
        )})`.mapWith((at: string) => new Date(at)),
      lastSeenAt: sql`(${orm
        .select({ latest: sql`max(${sessions.lastSeenAt})` })
        .from(sessions)
        .where(eq(sessions.personId, people.id))})`.mapWith((at: string) => new Date(at)),
      openSessions: sql<number>`(${orm
        .select({ count: sql`count(*)::int` })
        .from(sessions)
        .where(
          and(
            eq(sessions.personId, people.id),
            isNull(sessions.revokedAt),
            gt(sessions.expiresAt, now),
          ),
        )})`,
    })
    .from(people)
    .where(inArray(people.id, [...ids]));
  const facts = new Map(
    rows.map(({ id, ...row }): [string, PersonFacts] => [id, { ...row, grants: [] }]),
  );
  for (const { personId, ...grant } of await readGrants(orm, ids)) {
    facts.get(personId)?.grants.push(grant);
  }
  return facts;
}

const giver = sql.identifier("giver");

async function readGrants(
  orm: Orm,
  ids: readonly string[],
): Promise<(GivenGrantRow & { personId: string })[]> {
  return orm
    .select({
      personId: grants.personId,
      role: grants.role,
      company: grants.company,
      givenAt: grants.givenAt,
      givenBy: sql<
        string | null
      >`(select ${giver}.name from people ${giver} where ${giver}.id = ${grants.givenBy})`,
    })
    .from(grants)
    .where(inArray(grants.personId, [...ids]))
    .orderBy(sql`${grants.company} nulls first`);
}

/** Whoever changes something; null: whoever has the machine. */
export type Changer = { id: string; name: string; email: string } | null;

export type PersonRow = Pick<
  typeof people.$inferSelect,
  "id" | "name" | "email" | "issuer" | "disabledAt" | "passwordHash"
>;

/** What a change may do, within its transaction. */
export type PeopleChange = {
  tx: Transaction;
  by: Changer;
  /** Our clock, epoch milliseconds. */
  nowMs: number;
  /** Notes what was done; of a person, unless it says otherwise. */
  log(
    event: Pick<HouseEvent, "action" | "subject" | "detail"> & { kind?: HouseEvent["kind"] },
  ): void;
};

/**
 * Runs one change of people after the other, in all instances. What it logs is written at its end.
 * @param given.nowMs our clock, epoch milliseconds
 */
export async function changePeople<T>(
  { orm }: Pick<Database, "orm">,
  { by, nowMs }: { by: Changer; nowMs: number },
  work: (change: PeopleChange) => Promise<T>,
): Promise<T> {
  return orm.transaction(async (tx) => {
    await lockUntilCommit(tx, LOCKS.people);
    const events: HouseEvent[] = [];
    const log: PeopleChange["log"] = ({ detail, ...event }) => {
      const because = by === null ? { because: "from the command line" } : {};
      events.push({ kind: "person", person: by, ...event, detail: { ...because, ...detail } });
    };
    const result = await work({ tx, by, nowMs, log });
    await appendHouse(tx, nowMs, events);
    return result;
  });
}

/** Null: there is no such person. */
export async function readPerson(orm: Orm, id: string): Promise<PersonRow | null> {
  const [row] = await orm.select().from(people).where(eq(people.id, id));
  return row ?? null;
}

/** The local account of an address; null: there is none. @param email lower-case */
export async function findLocalPerson(orm: Orm, email: string): Promise<PersonRow | null> {
  const [row] = await orm
    .select()
    .from(people)
    .where(and(eq(people.email, email), isNull(people.issuer)));
  return row ?? null;
}

/**
 * Makes a local account that has no password yet.
 * @returns its id; null: the address has one already
 */
export async function invitePerson(
  { tx, by }: PeopleChange,
  { email, name, grants: given }: { email: string; name: string; grants: readonly Grant[] },
): Promise<string | null> {
  if ((await findLocalPerson(tx, email)) !== null) return null;
  return createPerson(tx, {
    email,
    name: toStorable(name),
    grants: given,
    passwordHash: null,
    givenBy: by?.id ?? null,
  });
}

export async function renamePerson({ tx }: PeopleChange, id: string, name: string): Promise<void> {
  await tx
    .update(people)
    .set({ name: toStorable(name) })
    .where(eq(people.id, id));
}

/** What somebody was made by hand, all companies first. */
export async function readGivenGrants(orm: Orm, id: string): Promise<Grant[]> {
  const rows = await readGrants(orm, [id]);
  return rows.map(({ role, company }) => ({ role, company }));
}

/** Gives somebody just these; those that they had stay as they were given. */
export async function replaceGrants(
  { tx, by, nowMs }: PeopleChange,
  personId: string,
  given: readonly Grant[],
): Promise<void> {
  const before = await readGivenGrants(tx, personId);
  const isIn = (list: readonly Grant[], grant: Grant) =>
    list.some(({ role, company }) => role === grant.role && company === grant.company);
  for (const { company } of before.filter((grant) => !isIn(given, grant))) {
    await tx
      .delete(grants)
      .where(
        and(
          eq(grants.personId, personId),
          company === null ? isNull(grants.company) : eq(grants.company, company),
        ),
      );
  }
  const added = given.filter((grant) => !isIn(before, grant));
  if (added.length === 0) return;
  await tx.insert(grants).values(
    added.map((grant) => ({
      ...grant,
      personId,
      givenBy: by?.id ?? null,
      givenAt: new Date(nowMs),
    })),
  );
}

/** Disabling ends sessions and links, so that nothing of them comes back when somebody is enabled again. */
export async function setDisabled(
  change: PeopleChange,
  id: string,
  isDisabled: boolean,
): Promise<void> {
  const { tx, nowMs } = change;
  await tx
    .update(people)
    .set({ disabledAt: isDisabled ? new Date(nowMs) : null })
    .where(eq(people.id, id));
  if (!isDisabled) return;
  await endSessions(tx, id, nowMs);
  await dropLinks(tx, id);
}

/**
 * Ends all sessions of somebody that have not ended yet, which every instance is told when the transaction commits.
 * @returns those that were open; `id` is the public one
 */
export async function endSessions(
  orm: Orm,
  personId: string,
  nowMs: number,
): Promise<{ id: string; browser: string }[]> {
  const ended = await orm
    .update(sessions)
    .set({ revokedAt: new Date(nowMs), idToken: null })
    .where(and(eq(sessions.personId, personId), isNull(sessions.revokedAt)))
    .returning({
      secretHash: sessions.id,
      id: sessions.publicId,
      browser: sessions.browser,
      expiresAt: sessions.expiresAt,
    });
  for (const { secretHash } of ended) await tell(orm, "sessions", secretHash);
  return ended.flatMap(({ id, browser, expiresAt }) =>
    expiresAt.getTime() > nowMs ? [{ id, browser }] : [],
  );
}

/** Takes back the links that were not used. */
async function dropLinks(orm: Orm, personId: string): Promise<void> {
  await orm
    .delete(passwordLinks)
    .where(and(eq(passwordLinks.personId, personId), isNull(passwordLinks.usedAt)));
}

/**
 * Makes a link with which somebody chooses a password, and takes back those before.
 * @param link.id hex SHA-256 of its secret
 * @param link.nowMs on the database's clock, which its end is judged by
 */
export async function replaceLink(
  { tx, by }: PeopleChange,
  link: {
    id: string;
    personId: string;
    purpose: "invitation" | "reset";
    nowMs: number;
    expiresAtMs: number;
  },
): Promise<void> {
  await dropLinks(tx, link.personId);
  await tx.insert(passwordLinks).values({
    id: link.id,
    personId: link.personId,
    purpose: link.purpose,
    madeBy: by?.id ?? null,
    createdAt: new Date(link.nowMs),
    expiresAt: new Date(link.expiresAtMs),
  });
}

/** Everybody but one who is enabled and able to sign in. */
export async function readOthersWhoSignIn(orm: Orm, exceptId: string): Promise<ListedPerson[]> {
  return (await readEverybody({ orm })).filter(
    ({ id, isDisabled, canSignIn }) => id !== exceptId && !isDisabled && canSignIn,
  );
}

/**
 * Whether any of these people signed in since an instant.
 * @param sinceMs epoch milliseconds on the database's clock, within the 30 days that sessions are kept for
 */
export async function haveSignedInSince(
  orm: Orm,
  ids: readonly string[],
  sinceMs: number,
): Promise<boolean> {
  if (ids.length === 0) return false;
  const [one] = await orm
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(inArray(sessions.personId, [...ids]), gt(sessions.createdAt, new Date(sinceMs))))
    .limit(1);
  return one !== undefined;
}

/** A link that somebody opened, and whose it is. */
export type LinkRow = {
  purpose: "invitation" | "reset";
  expiresAtMs: number;
  isUsed: boolean;
  person: PersonRow;
};

/** @param id hex SHA-256 of the link's secret */
export async function readLink({ orm }: { orm: Orm }, id: string): Promise<LinkRow | null> {
  const [row] = await orm
    .select({ link: passwordLinks, person: people })
    .from(passwordLinks)
    .innerJoin(people, eq(people.id, passwordLinks.personId))
    .where(eq(passwordLinks.id, id));
  if (row === undefined) return null;
  const { purpose, expiresAt, usedAt } = row.link;
  return {
    purpose,
    expiresAtMs: expiresAt.getTime(),
    isUsed: usedAt !== null,
    person: row.person,
  };
}

/**
 * Uses a link up. Of those who try at once one succeeds.
 * @param nowMs on the database's clock
 * @returns false: it was used or taken back, is over, or its person is disabled
 */
export async function useLink(tx: Transaction, id: string, nowMs: number): Promise<boolean> {
  const now = new Date(nowMs);
  const used = await tx
    .update(passwordLinks)
    .set({ usedAt: now })
    .from(people)
    .where(
      and(
        eq(passwordLinks.id, id),
        isNull(passwordLinks.usedAt),
        gt(passwordLinks.expiresAt, now),
        eq(people.id, passwordLinks.personId),
        isNull(people.disabledAt),
        isNull(people.issuer),
      ),
    )
    .returning({ personId: passwordLinks.personId });
  const [link] = used;
  if (link === undefined) return false;
  await tx
    .delete(passwordLinks)
    .where(
      and(
        eq(passwordLinks.personId, link.personId),
        ne(passwordLinks.id, id),
        isNull(passwordLinks.usedAt),
      ),
    );
  // Whoever opens a used one is told so for a while.
  await tx
    .delete(passwordLinks)
    .where(
      and(
        isNotNull(passwordLinks.usedAt),
        sql`${passwordLinks.usedAt} < ${new Date(nowMs - KEPT_MS)}`,
      ),
    );
  return true;
}

const KEPT_MS = 90 * 24 * 3_600_000;
