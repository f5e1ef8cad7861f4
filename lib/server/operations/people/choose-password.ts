import type { LinkState, PasswordProblem as Problem, Weakness } from "@/lib/contracts/people";
import { isFailure } from "@/lib/contracts/failure";
import { secondsToWait } from "@/lib/server/auth/attempts";
import { CLEAR_SITE_DATA } from "@/lib/server/auth/cookies";
import { hashPassword, passwordMatches } from "@/lib/server/auth/passwords";
import { weaknessOf } from "@/lib/server/auth/password-strength";
import { secretHash } from "@/lib/server/auth/secret";
import type { HttpRequest } from "@/lib/server/http/http-request";
import {
  changePeople,
  readLink,
  useLink,
  type LinkRow,
} from "@/lib/server/store/people/administration";
import { changePassword } from "@/lib/server/store/people/people";
import { clearAttempts } from "@/lib/server/store/people/sign-in-attempts";
import type { PeopleRuntime } from "./person-view";

/**
 * Limit per 15 minutes of invalid links from one address, and of rejected passwords for one link.
 */
export const WRONG_LINKS = { lengthMs: 15 * 60_000, limit: 20 } as const;

/** Query value of the success page. */
const DONE = "done";
const SECRET = /^[\w-]{43}$/;

/** Reads a link without using it. */
export async function readPasswordLink(
  { database, auth }: Pick<PeopleRuntime, "database" | "auth">,
  secret: string,
): Promise<LinkState> {
  if (!SECRET.test(secret)) return { state: "missing" };
  const link = await readLink(database, secretHash(secret));
  const { judgedMs } = await auth.time.now();
  return stateOf(link, judgedMs);
}

function stateOf(link: LinkRow | null, nowMs: number): LinkState {
  if (link === null || link.person.disabledAt !== null || link.person.issuer !== null) {
    return { state: "missing" };
  }
  if (link.isUsed) return { state: "used" };
  if (link.expiresAtMs <= nowMs) return { state: "expired" };
  const { name, email } = link.person;
  return { state: "open", purpose: link.purpose, name, email };
}

/**
 * Sets a password through a link, from a form without scripts: `POST /signin/password`. Ends all
 * sessions of the person. Always redirects to a page with the outcome. Only the link matters, not
 * who is signed in.
 * @param sent.address the client's true address
 */
export async function choosePassword(
  runtime: PeopleRuntime,
  {
    request,
    fields,
    address,
  }: { request: Pick<HttpRequest, "url" | "method">; fields: URLSearchParams; address: string },
): Promise<Response> {
  const secret = fields.get("link") ?? "";
  const leadTo = (problem: Problem | null) =>
    seeOther(SECRET.test(secret) ? secret : "missing", problem);
  try {
    const done = await take(runtime, {
      secret,
      password: fields.get("password") ?? "",
      again: fields.get("again") ?? "",
      address,
    });
    // A session of theirs in this browser has ended with the others.
    return done === "done"
      ? seeOther(DONE, null, CLEAR_SITE_DATA)
      : leadTo(done === "over" ? null : done);
  } catch (error) {
    if (!isFailure(error)) runtime.securityLog.failed("request_unanswered", error, request);
    return leadTo("unavailable");
  }
}

type Given = { secret: string; password: string; again: string; address: string };

/** @returns `over` when the link is no longer valid */
async function take(
  runtime: PeopleRuntime,
  { secret, password, again, address }: Given,
): Promise<Problem | "over" | "done"> {
  const { database, auth, securityLog, clock } = runtime;
  const { judgedMs: nowMs } = await auth.time.now();
  const id = secretHash(secret);
  const [ofAddress, ofLink] = [`password-links:${address}`, `password-link:${id}`];
  const isLimited = async (bucket: string) =>
    (await secondsToWait(database, bucket, { ...WRONG_LINKS, nowMs })) !== null;
  const link = SECRET.test(secret) ? await readLink(database, id) : null;
  const found = stateOf(link, nowMs);
  if (link === null || found.state !== "open") {
    // Only invalid links count, so that they never block a valid one from the same address.
    if (await isLimited(ofAddress)) {
      securityLog.record("limit_hit", { address }, { limit: "password_links" });
      return "limited";
    }
    securityLog.record("password_link_refused", { address }, { why: found.state });
    return "over";
  }
  // Counted first, so that concurrent passwords for one link can't exceed the limit.
  if (await isLimited(ofLink)) return "limited";
  const problem = await problemOf(runtime, link, { password, again });
  if (problem !== null) return problem;

  const { id: personId, name, email } = link.person;
  const by = { id: personId, name, email };
  const passwordHash = await hashPassword(password);
  const isTaken = await changePeople(database, { by, nowMs: clock.nowMs() }, async (change) => {
    if (!(await useLink(change.tx, id, nowMs))) return false;
    await changePassword(change.tx, personId, passwordHash, change.nowMs);
    change.log({ action: "set-password", subject: email, detail: { because: link.purpose } });
    return true;
  });
  if (!isTaken) return "over";
  await clearAttempts(database, ofLink);
  securityLog.record("password_set", { address, person: by }, { by: link.purpose });
  return "done";
}

async function problemOf(
  { config, passwordMeter }: Pick<PeopleRuntime, "config" | "passwordMeter">,
  { person: { name, email, passwordHash, passwordPrintedAt } }: LinkRow,
  { password, again }: Pick<Given, "password" | "again">,
): Promise<Weakness | "unchanged" | "different" | null> {
  const weakness = await weaknessOf(passwordMeter, password, [
    name,
    email,
    config.adminEmail,
    "Plumbline",
  ]);
  if (weakness !== null) return weakness;
  const isPrinted = passwordPrintedAt !== null && (await passwordMatches(passwordHash, password));
  if (isPrinted) return "unchanged";
  return password === again ? null : "different";
}

function seeOther(
  secret: string,
  problem: Problem | null,
  more: Readonly<Record<string, string>> = {},
): Response {
  const query = problem === null ? "" : `?problem=${problem}`;
  return new Response(null, {
    status: 303,
    headers: {
      Location: `/signin/password/${secret}${query}`,
      "Referrer-Policy": "no-referrer",
      ...more,
    },
  });
}
