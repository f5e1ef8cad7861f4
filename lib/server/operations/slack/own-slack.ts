import { Failure } from "@/lib/contracts/failure";
import { SlackLinkRequest, type SlackAccounts, type SlackLinked } from "@/lib/contracts/me";
import type { Person } from "@/lib/server/auth/person";
import { secretHash } from "@/lib/server/auth/secret";
import type { Clock } from "@/lib/server/clock";
import { isUuid, notValid } from "@/lib/server/http/query";
import type { Database } from "@/lib/server/store/database";
import {
  linkSlackUser,
  readInvitation,
  readSlackAccounts,
  unlinkSlackUser,
  type SlackUser,
} from "@/lib/server/store/slack/slack-accounts";
import { NO_ACCOUNT, NO_INVITATION, NOT_OF_SLACK } from "./words";

type SlackRuntime = { database: Database; clock: Pick<Clock, "nowMs"> };

/** The person's linked accounts of Slack: `GET /api/me/slack`. */
export async function listOwnSlack(
  { database }: SlackRuntime,
  { person }: { person: Person },
): Promise<SlackAccounts> {
  const rows = await readSlackAccounts(database.orm, person.id);
  return {
    data: rows.map((row) => ({
      id: row.id,
      ...namesOf(row),
      linked_at: row.linkedAt.toISOString(),
    })),
  };
}

/**
 * Links the account of Slack that a one-time link was sent to: `POST /api/me/slack`. Without `confirm`, only says whose
 * it is.
 * @param given.requireRecentSignIn called before linking
 * @throws Failure `invalid_request`; `not_found` for a link that has expired, was used or never existed
 */
export async function linkOwnSlack(
  { database, clock }: SlackRuntime,
  {
    person,
    body,
    requireRecentSignIn,
  }: { person: Person; body: unknown; requireRecentSignIn: () => Promise<void> },
): Promise<SlackLinked> {
  const parsed = SlackLinkRequest.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error, NOT_OF_SLACK);
  const { token, confirm } = parsed.data;
  const nowMs = clock.nowMs();
  if (confirm) await requireRecentSignIn();
  const { id, name, email } = person;
  const change = { person: { id, name, email }, nowMs };
  const found = confirm
    ? await linkSlackUser(database, secretHash(token), change)
    : await readInvitation(database.orm, secretHash(token), nowMs);
  if (found === null) throw new Failure("not_found", NO_INVITATION);
  return { ...namesOf(found), linked: confirm };
}

/**
 * Unlinks an account of Slack: `DELETE /api/me/slack/[id]`.
 * @throws Failure `not_found`, identical for a missing one and one of another person
 */
export async function unlinkOwnSlack(
  { database, clock }: SlackRuntime,
  { person, id }: { person: Person; id: string },
): Promise<Response> {
  const { id: personId, name, email } = person;
  const change = { person: { id: personId, name, email }, nowMs: clock.nowMs() };
  const isUnlinked = isUuid(id) && (await unlinkSlackUser(database, id, change));
  if (!isUnlinked) throw new Failure("not_found", NO_ACCOUNT);
  return new Response(null, { status: 204 });
}

function namesOf({ teamId, teamName, userId, userName }: SlackUser) {
  return { workspace: teamName || teamId, user: userName || userId };
}
