import { Failure } from "@/lib/contracts/failure";
import { Invitation, type Invited, type PasswordLink } from "@/lib/contracts/people";
import type { Person } from "@/lib/server/auth/person";
import { newSecret, secretHash } from "@/lib/server/auth/secret";
import { isUuid, notValid } from "@/lib/server/http/query";
import {
  changePeople,
  invitePerson as insert,
  readPerson,
  replaceLink,
  type PeopleChange,
  type PersonRow,
} from "@/lib/server/store/people/administration";
import { linkMail, type LinkMail } from "./link-mail";
import { checkedGrants, grantWords, noSuchPerson, type PeopleRuntime } from "./person-view";
import { DISABLED, EMAIL_TAKEN, SIGNS_IN_ELSEWHERE } from "./words";

const LINK_MS = 7 * 24 * 3_600_000;

/** Who invites, from which address, and the origin of the link. */
type By = { person: Person; address: string; origin: string };

/**
 * Creates an account for a person, who chooses a password through a link: `POST /api/people`. The
 * link is returned only here, and mailed where mail is configured.
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
    const expiresAtMs = await addLink(runtime, change, { secret, id, purpose: "invitation" });
    change.log({
      action: "invite",
      subject: email,
      detail: { person: id, to: grants, because: grantWords(grants, runtime.connections) },
    });
    return { id, expiresAtMs };
  });
  const { id, expiresAtMs } = invited;
  const url = linkOf(origin, secret);
  const to = { name, email };
  const mailed = await mailLink(runtime, {
    to,
    by: by.name,
    purpose: "invitation",
    url,
    expiresAtMs,
  });
  runtime.securityLog.record("person_invited", { address, person: by }, { whom: id, mailed });
  return { id, invitation: { url, expires_at: isoOf(expiresAtMs), mailed } };
}

/**
 * Creates a link for choosing a new password, and revokes earlier ones:
 * `POST /api/people/[id]/reset`. The current password stays valid until then.
 * @throws Failure `not_found`; `conflict` for people who are disabled, or sign in at a provider
 */
export async function resetPassword(
  runtime: PeopleRuntime,
  { person: by, address, origin, id }: By & { id: string },
): Promise<PasswordLink> {
  const secret = newSecret();
  const made = await changePeople(runtime.database, changeBy(runtime, by), async (change) => {
    const whom = isUuid(id) ? await readPerson(change.tx, id) : null;
    if (whom === null) throw noSuchPerson();
    return { to: whom, ...(await addResetLink(runtime, change, { whom, secret })) };
  });
  const url = linkOf(origin, secret);
  const mailed = await mailLink(runtime, { ...made, by: by.name, url });
  runtime.securityLog.record("password_link_made", { address, person: by }, { whom: id, mailed });
  return { url, expires_at: isoOf(made.expiresAtMs), mailed };
}

/** Mails a link once, where mail is configured, and returns the outcome to its maker. */
async function mailLink(
  { mailer }: Pick<PeopleRuntime, "mailer">,
  link: LinkMail,
): Promise<PasswordLink["mailed"]> {
  return mailer === null ? "off" : mailer.send(linkMail(link));
}

const isoOf = (ms: number) => new Date(ms).toISOString();

/** The clock for link expiry. */
type WithTime = { auth: Pick<PeopleRuntime["auth"], "time"> };

/**
 * Within a transaction: adds a link for choosing a new or first password.
 * @returns its expiry, epoch milliseconds
 * @throws Failure `conflict`
 */
export async function addResetLink(
  runtime: WithTime,
  change: PeopleChange,
  { whom, secret }: { whom: PersonRow; secret: string },
): Promise<{ purpose: "invitation" | "reset"; expiresAtMs: number }> {
  if (whom.issuer !== null) throw new Failure("conflict", SIGNS_IN_ELSEWHERE);
  if (whom.disabledAt !== null) throw new Failure("conflict", DISABLED);
  const purpose = whom.passwordHash === null ? "invitation" : "reset";
  change.log({ action: "password-link", subject: whom.email, detail: { person: whom.id } });
  const expiresAtMs = await addLink(runtime, change, { secret, id: whom.id, purpose });
  return { purpose, expiresAtMs };
}

async function addLink(
  { auth }: WithTime,
  change: PeopleChange,
  { secret, id, purpose }: { secret: string; id: string; purpose: "invitation" | "reset" },
): Promise<number> {
  const { judgedMs: nowMs } = await auth.time.now();
  const expiresAtMs = nowMs + LINK_MS;
  await replaceLink(change, {
    id: secretHash(secret),
    personId: id,
    purpose,
    nowMs,
    expiresAtMs,
  });
  return expiresAtMs;
}

/** @param origin without a trailing slash */
export function linkOf(origin: string, secret: string): string {
  return `${origin}/signin/password/${secret}`;
}

/** The actor of a change, for the log. */
export function changeBy({ clock }: Pick<PeopleRuntime, "clock">, person: Person) {
  const { id, name, email } = person;
  return { by: { id, name, email }, nowMs: clock.nowMs() };
}
