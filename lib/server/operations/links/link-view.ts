import { randomUUID } from "node:crypto";
import { Failure } from "@/lib/contracts/failure";
import type { LinkEntry } from "@/lib/contracts/links";
import {
  companyNamed,
  type NamedConnection,
} from "@/lib/server/operations/connections/external-id";
import { connectedName } from "@/lib/server/operations/connections/connected-name";
import type { Person } from "@/lib/server/auth/person";
import type { Auth } from "@/lib/server/auth/auth";
import { stateOfLink } from "@/lib/server/auth/share-links";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import { hasRight } from "@/lib/domain/rights";
import type { Database } from "@/lib/server/store/database";
import type { LinkAction, ListedLink } from "@/lib/server/store/links/share-links";
import { NO_LINK } from "./words";

/** Dependencies of the share link operations. */
export type LinksRuntime = {
  database: Database;
  clock: Clock;
  auth: Pick<Auth, "time" | "access" | "shareLinks">;
  securityLog: SecurityLog;
  readonly connections: readonly NamedConnection[];
};

/** @param given.nowMs time that expiry is compared with */
export function linkView(
  { auth, connections }: Pick<LinksRuntime, "auth" | "connections">,
  row: ListedLink,
  { person, nowMs }: { person: Person; nowMs: number },
): LinkEntry {
  const { company, maker } = row;
  const name = connectedName(connections, company) ?? company;
  return {
    id: row.id,
    company: companyNamed(connections, { slug: company, name }),
    partner: row.partnerName,
    incident: row.incidentId,
    shows: row.shows,
    for: row.forWhom,
    details_in_preview: row.hasDetailsInPreview,
    made_by: { name: maker.name, is_you: maker.id === person.id },
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    state: stateOfLink(row, auth.access, nowMs).state,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    revoked_by: row.revokedByName,
    opened: row.openedCount,
    last_opened_at: row.lastOpenedAt?.toISOString() ?? null,
  };
}

/**
 * Owner filter of the links that a person may see and change: their own; null (all) for
 * administrators.
 */
export function whoseOf(person: Person): string | null {
  return hasRight(person.grants, "manage-links", null) ? null : person.id;
}

/** The audit log's actor and details for an action of this person. */
export function actionOf({ clock }: Pick<LinksRuntime, "clock">, person: Person): LinkAction {
  const { id, name, email } = person;
  return { person: { id, name, email }, requestId: randomUUID(), nowMs: clock.nowMs() };
}

export function noSuchLink(): Failure {
  return new Failure("not_found", NO_LINK);
}
