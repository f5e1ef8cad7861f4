import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { Grant } from "@/lib/domain/rights";
import {
  appendInstallationEvents,
  type InstallationEvent,
} from "@/lib/server/store/audit/installation-log";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { notifyAll } from "@/lib/server/store/notifications";
import { LOCKS, lockUntilCommit } from "@/lib/server/store/locks";
import {
  grants,
  passwordLinks,
  people,
  secondFactors,
  sessions,
  type Claims,
} from "@/lib/server/store/schema/people";
import { toStorable } from "@/lib/server/store/storable";
import { createPerson } from "./people";

/**
 * User administration. All changes take the same lock, so each sees the result of the previous one, and are
 * written to the installation-wide audit log in the same transaction.
 */

/** What the list of people needs for searching and sorting. */
export type ListedPerson = {
  id: string;
  name: string;
  email: string;
  /** Issuer of their identity provider; null: a local account. */
  issuer: string | null;
  isDisabled: boolean;
  /** Whether they have a password or an identity provider. */
  canSignIn: boolean;
  isAdministrator: boolean;
  /** Claims that access rules match; null for a local account. */
  claims: Claims | null;
};

export function readEverybody({ orm }: { orm: Orm }): Promise<ListedPerson[]> {
  return selectListed(orm).orderBy(asc(people.id));
}

/** One of them; null: there is no such person. */
export async function readListed({ orm }: { orm: Orm }, id: string): Promise<ListedPerson | null> {
  const [person] = await selectListed(orm).where(eq(people.id, id));
  return person ?? null;
}

function selectListed(orm: Orm) {
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
    .from(people);
}

/** A manual grant; `givenBy`: name of the person who gave it, null for Plumbline itself. */
export type GivenGrantRow = Grant & { givenBy: string | null; givenAt: Date };

/** Details shown for each person in the list. */
export type PersonFacts = {
  createdAt: Date;
  disabledAt: Date | null;
  /** Latest expiry of an unused link; null: none. */
  linkExpiresAt: Date | null;
  lastSeenAt: Date | null;
  openSessions: number;
  hasSecondFactor: boolean;
  grants: GivenGrantRow[];
};

/** @param nowMs time at which expiry is judged */
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
      hasSecondFactor: sql<boolean>`exists (${orm
        .select({ one: sql`1` })
        .from(secondFactors)
        .where(and(eq(secondFactors.personId, people.id), isNotNull(secondFactors.onSince)))})`,
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

/** The person making the change; null: the command line. */
export type Changer = { id: string; name: string; email: string } | null;

export type PersonRow = Pick<
  typeof people.$inferSelect,
  "id" | "name" | "email" | "issuer" | "disabledAt" | "passwordHash" | "passwordPrintedAt"
>;

/** Context of a change within its transaction. */
export type PeopleChange = {
  tx: Transaction;
  by: Changer;
  /** Our clock, epoch milliseconds. */
  nowMs: number;
  /** Queues an audit event; of kind `person` by default. */
  log(
    event: Pick<InstallationEvent, "action" | "subject" | "detail"> & {
      kind?: InstallationEvent["kind"];
    },
  ): void;
};

/**
 * Runs a change to people, serialised across all instances. Its audit events are written at the end.
 * @param given.nowMs our clock, epoch milliseconds
 */
export async function changePeople<T>(
  { orm }: Pick<Database, "orm">,
  { by, nowMs }: { by: Changer; nowMs: number },
  work: (change: PeopleChange) => Promise<T>,
): Promise<T> {
  return orm.transaction(async (tx) => {
    await lockUntilCommit(tx, LOCKS.people);
    const events: InstallationEvent[] = [];
    const log: PeopleChange["log"] = ({ detail, ...event }) => {
      const because = by === null ? { because: "from the command line" } : {};
      events.push({ kind: "person", person: by, ...event, detail: { ...because, ...detail } });
    };
    const result = await work({ tx, by, nowMs, log });
    await appendInstallationEvents(tx, nowMs, events);
    return result;
  });
}

/** @returns null: no such person */
export async function readPerson(orm: Orm, id: string): Promise<PersonRow | null> {
  const [row] = await orm.select().from(people).where(eq(people.id, id));
  return row ?? null;
}

/** Finds a local account by address; null: none. @param email lower case */
export async function findLocalPerson(orm: Orm, email: string): Promise<PersonRow | null> {
  const [row] = await orm
    .select()
    .from(people)
    .where(and(eq(people.email, email), isNull(people.issuer)));
  return row ?? null;
}

/**
 * Creates a local account without a password.
 * @returns its id; null: the address is in use by a local account
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

/** A person's manual grants, those for all companies first. */
export async function readGivenGrants(orm: Orm, id: string): Promise<Grant[]> {
  const rows = await readGrants(orm, [id]);
  return rows.map(({ role, company }) => ({ role, company }));
}

/** Replaces a person's manual grants; unchanged ones keep their date and author. */
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

/** Disabling also ends sessions and links, so that they stay invalid if the account is enabled again. */
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
 * Ends all of a person's sessions; every instance is notified on commit.
 * @returns those that were still open; `id` is the public one
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
  await notifyAll(
    orm,
    "sessions",
    ended.map(({ secretHash }) => secretHash),
  );
  return ended.flatMap(({ id, browser, expiresAt }) =>
    expiresAt.getTime() > nowMs ? [{ id, browser }] : [],
  );
}

/** Deletes unused links. */
export async function dropLinks(orm: Orm, personId: string): Promise<void> {
  await orm
    .delete(passwordLinks)
    .where(and(eq(passwordLinks.personId, personId), isNull(passwordLinks.usedAt)));
}

/**
 * Creates a link for choosing a password, and deletes earlier ones.
 * @param link.id hex SHA-256 of its secret
 * @param link.nowMs on the database clock, by which it expires
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

/** All enabled people other than `exceptId` who have a password or a provider to sign in with. */
export async function readOthersWhoSignIn(orm: Orm, exceptId: string): Promise<ListedPerson[]> {
  return (await readEverybody({ orm })).filter(
    ({ id, isDisabled, canSignIn }) => id !== exceptId && !isDisabled && canSignIn,
  );
}

/**
 * Whether any of these people has signed in since a given time.
 * @param sinceMs epoch milliseconds on the database clock, within the 30 days that sessions are retained
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

/** A password link with its person. */
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
 * Consumes a link. Only one of several concurrent attempts succeeds.
 * @param nowMs on the database clock
 * @returns false: used, deleted or expired, or its person is disabled
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
  // Used links are retained for a while, to explain that they were used.
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
