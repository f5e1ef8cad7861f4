import { createHash } from "node:crypto";
import { z } from "zod";
import { areSameGrants, claimValues, leftOutClaims } from "@/lib/domain/access-rules";
import type { FoundGrant } from "@/lib/domain/access-rules";
import { enteredLine } from "@/lib/domain/text/entered-text";
import type { Clock } from "@/lib/server/clock";
import { appendInstallationEvents, sessionsEnded } from "@/lib/server/store/audit/installation-log";
import type { Database, Transaction } from "@/lib/server/store/database";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import {
  endProviderSessions,
  listGivenGrants,
  listProviderPeople,
  lockPersonById,
  lockProviderPerson,
  saveFoundGrants,
  saveProviderPerson,
  takeLogoutToken,
  type EndedSessions,
} from "@/lib/server/store/people/provider-people";
import { releaseIncidents } from "@/lib/server/store/incidents/release-incidents";
import { toStorable } from "@/lib/server/store/storable";
import { mayHandleBy, type Access } from "./access";
import { LOGOUT_TOKEN_SECONDS, type LogoutToken, type ProvenPerson } from "./oidc/tokens";

/** A person's id, name and email address, for logs. */
type Named = { id: string; name: string; email: string };

/** Whether a person authenticated by the provider may sign in. */
export type Admission =
  | { ok: true; person: Named }
  | {
      ok: false;
      /** `overage`: the provider omitted the group claims because there are too many groups. */
      reason: "no_access" | "overage" | "disabled";
      /** Null: no account yet. */
      person: Named | null;
    };

export type ProviderSignIn = {
  /**
   * Stores the claims of an authenticated person, and decides about access. People are identified by issuer and
   * subject, never by email address. Throws database errors.
   */
  admit(issuer: string, proven: Pick<ProvenPerson, "subject" | "claims">): Promise<Admission>;
  /**
   * Ends the sessions that a logout token refers to.
   * @returns the ended sessions by person; null: the token was used before
   */
  endSessions(issuer: string, token: LogoutToken): Promise<EndedSessions[] | null>;
  /** Writes an audit entry for each person whose grants by rules differ from the last recorded ones. */
  recordFound(issuer: string): Promise<void>;
};

const PEOPLE_AT_A_TIME = 200;
/** 200 code points, so that no half of one is left. */
const LONGEST_NAME = /^.{1,200}/su;
const address = z.email().max(254);

export function createProviderSignIn({
  database,
  access,
  time,
  clock,
}: {
  database: Database;
  access: Access;
  time: DatabaseTime;
  clock: Clock;
}): ProviderSignIn {
  async function record(
    tx: Transaction,
    person: Named & { foundGrants: readonly FoundGrant[] },
    found: readonly FoundGrant[],
  ): Promise<void> {
    if (areSameGrants(person.foundGrants, found)) return;
    await saveFoundGrants(tx, person.id, found);
    await releaseIncidents(tx, person.id, {
      by: null,
      nowMs: clock.nowMs(),
      mayHandle: mayHandleBy(access),
    });
    await appendInstallationEvents(tx, clock.nowMs(), [
      {
        kind: "person",
        action: "grant",
        // Caused by a rule, not by a person.
        person: null,
        subject: person.email || person.name,
        detail: {
          person: person.id,
          from: person.foundGrants,
          to: found,
          because: becauseOf(found),
        },
      },
    ]);
  }

  return {
    admit: (issuer, { subject, claims: given }) =>
      database.orm.transaction(async (tx): Promise<Admission> => {
        const claims = toStorable(given);
        const facts = { email: emailOf(claims), name: nameOf(claims, subject), claims };
        const known = await lockProviderPerson(tx, issuer, subject);
        const refused = (reason: "no_access" | "overage" | "disabled"): Admission => ({
          ok: false,
          reason,
          person: known,
        });
        if (known?.isDisabled === true) return refused("disabled");
        const found = access.find({ issuer, claims });
        const byHand = known === null ? [] : await listGivenGrants(tx, known.id);
        const isAllowed = found.length + byHand.length > 0;
        const isUnsaid = leftOutClaims(claims).length > 0;
        if (!isAllowed && isUnsaid) return refused("overage");
        // Nothing is stored about people who never had access.
        if (!isAllowed && known === null) return refused("no_access");
        const id = await saveProviderPerson(tx, { issuer, subject, ...facts });
        const { email, name } = facts;
        await record(tx, { id, email, name, foundGrants: known?.foundGrants ?? [] }, found);
        return isAllowed ? { ok: true, person: { id, email, name } } : refused("no_access");
      }),

    async endSessions(issuer, token) {
      const { ms, judgedMs } = await time.now();
      return database.orm.transaction(async (tx) => {
        const id = createHash("sha256").update(token.id).digest("hex");
        // Twice as long as the token could be accepted.
        const expiresAtMs = Math.max(ms, token.issuedAtMs) + 2 * LOGOUT_TOKEN_SECONDS * 1000;
        if (!(await takeLogoutToken(tx, id, { nowMs: judgedMs, expiresAtMs }))) return null;
        const ended = await endProviderSessions(tx, issuer, token, clock.nowMs());
        await appendInstallationEvents(
          tx,
          clock.nowMs(),
          ended.map(({ person, ids }) =>
            sessionsEnded({
              by: null,
              whom: person,
              sessions: ids.length,
              because: "ended at the identity provider",
            }),
          ),
        );
        return ended;
      });
    },

    async recordFound(issuer) {
      for (let afterId: string | null = null; ;) {
        const page = await listProviderPeople(database.orm, issuer, {
          afterId,
          limit: PEOPLE_AT_A_TIME,
        });
        for (const { id, foundGrants, claims } of page) {
          if (areSameGrants(foundGrants, access.find({ issuer, claims }))) continue;
          // Compared again under lock: another instance may have recorded it meanwhile.
          await database.orm.transaction(async (tx) => {
            const person = await lockPersonById(tx, id);
            if (person !== null) await record(tx, person, access.find(person));
          });
        }
        const last = page.at(-1);
        if (last === undefined || page.length < PEOPLE_AT_A_TIME) return;
        afterId = last.id;
      }
    },
  };
}

/** The rules that matched, and the matching values: "rule 1, groups: cs-emea". */
function becauseOf(found: readonly FoundGrant[]): string {
  const words = found.map(
    ({ because: { rule, claim, value } }) => `rule ${rule}, ${claim}: ${value}`,
  );
  return [...new Set(words)].join("; ").slice(0, 500) || "no rule matches any more";
}

/** The email address in the claims, in lower case; "": no valid one. */
function emailOf(claims: ProvenPerson["claims"]): string {
  const given = [claims["email"], claims["preferred_username"], claims["upn"]].find(
    (one) => address.safeParse(one).success,
  );
  return typeof given === "string" ? given.toLowerCase() : "";
}

function nameOf(claims: ProvenPerson["claims"], subject: string): string {
  const [name] = ["name", "preferred_username", "email"].flatMap((claim) =>
    claimValues(claims, claim),
  );
  return LONGEST_NAME.exec(enteredLine(name ?? "") || subject)?.[0] ?? subject;
}
