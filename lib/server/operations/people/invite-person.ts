import { Failure } from "@/lib/contracts/failure";
import { Invitation, type Invited, type PasswordLink } from "@/lib/contracts/people";
import type { Person } from "@/lib/server/auth/person";
import { newSecret, secretHash } from "@/lib/server/auth/secret";
import { isUuid } from "@/lib/server/http/query";
import {
  changePeople,
  invitePerson as insert,
  readPerson,
  replaceLink,
  type PeopleChange,
  type PersonRow,
} from "@/lib/server/store/people/administration";
import {
  checkedGrants,
  grantWords,
  noSuchPerson,
  notValid,
  type PeopleRuntime,
} from "./person-view";
import { DISABLED, EMAIL_TAKEN, SIGNS_IN_ELSEWHERE } from "./words";

const LINK_MS = 7 * 24 * 3_600_000;

/** Who asks, from where, and under which origin the link shall lead here. */
type By = { person: Person; address: string; origin: string };

/**
 * Makes an account for somebody, who chooses a password by the link: `POST /api/people`. The link is told only here.
 * @throws Failure `invalid_request`; `conflict` when the address has a local account
 */
export async function invitePerson(
  runtime: PeopleRuntime,
  { person: by, address, origin, body }: By & { body: unknown },
): Promise<Invited> {
  const parsed = Invitation.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const { name, email } = parsed.data;
  const grants = checkedGrants(runtime, parsed.data.grants);
  const secret = newSecret();
  const invited = await changePeople(runtime.database, changeBy(runtime, by), async (change) => {
    const id = await insert(change, { name, email, grants });
    if (id === null) throw new Failure("conflict", EMAIL_TAKEN);
    const expiresAt = await addLink(runtime, change, { secret, id, purpose: "invitation" });
    change.log({
      action: "invite",
      subject: email,
      detail: { person: id, to: grants, because: grantWords(grants) },
    });
    return { id, expiresAt };
  });
  runtime.evidence.note("person_invited", { address, person: by }, { whom: invited.id });
  return {
    id: invited.id,
    invitation: { url: linkOf(origin, secret), expires_at: invited.expiresAt },
  };
}

/**
 * Makes a link with which somebody chooses a new password, and takes back those before:
 * `POST /api/people/[id]/reset`. Their password stays until then.
 * @throws Failure `not_found`; `conflict` for whoever is disabled, or signs in at a provider
 */
export async function resetPassword(
  runtime: PeopleRuntime,
  { person: by, address, origin, id }: By & { id: string },
): Promise<PasswordLink> {
  const secret = newSecret();
  const expiresAt = await changePeople(runtime.database, changeBy(runtime, by), async (change) => {
    const whom = isUuid(id) ? await readPerson(change.tx, id) : null;
    if (whom === null) throw noSuchPerson();
    return addResetLink(runtime, change, { whom, secret });
  });
  runtime.evidence.note("password_link_made", { address, person: by }, { whom: id });
  return { url: linkOf(origin, secret), expires_at: expiresAt };
}

/** What the ends of links are reckoned by. */
type WithTime = { auth: Pick<PeopleRuntime["auth"], "time"> };

/**
 * Within a change: the link by which somebody chooses a new password, or their first one.
 * @returns when it ends, ISO 8601
 * @throws Failure `conflict`
 */
export async function addResetLink(
  runtime: WithTime,
  change: PeopleChange,
  { whom, secret }: { whom: PersonRow; secret: string },
): Promise<string> {
  if (whom.issuer !== null) throw new Failure("conflict", SIGNS_IN_ELSEWHERE);
  if (whom.disabledAt !== null) throw new Failure("conflict", DISABLED);
  const purpose = whom.passwordHash === null ? "invitation" : "reset";
  change.log({ action: "password-link", subject: whom.email, detail: { person: whom.id } });
  return addLink(runtime, change, { secret, id: whom.id, purpose });
}

async function addLink(
  { auth }: WithTime,
  change: PeopleChange,
  { secret, id, purpose }: { secret: string; id: string; purpose: "invitation" | "reset" },
): Promise<string> {
  const { judgedMs: nowMs } = await auth.time.now();
  const expiresAtMs = nowMs + LINK_MS;
  await replaceLink(change, {
    id: secretHash(secret),
    personId: id,
    purpose,
    nowMs,
    expiresAtMs,
  });
  return new Date(expiresAtMs).toISOString();
}

/** @param origin without a trailing slash */
export function linkOf(origin: string, secret: string): string {
  return `${origin}/signin/password/${secret}`;
}

/** What a change is logged with. */
export function changeBy({ clock }: Pick<PeopleRuntime, "clock">, person: Person) {
  const { id, name, email } = person;
  return { by: { id, name, email }, nowMs: clock.nowMs() };
}
