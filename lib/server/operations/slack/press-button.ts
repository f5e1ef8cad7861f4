import { isFailure, type FailureCode } from "@/lib/contracts/failure";
import type { Message } from "@/lib/domain/delivery/message";
import { coversIncident } from "@/lib/domain/delivery/rule";
import type { Trouble } from "@/lib/domain/incidents/incident";
import { hasRight } from "@/lib/domain/rights";
import { plainName } from "@/lib/domain/text/plain-name";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { restsAt } from "@/lib/domain/tokens/token-rest";
import type { Person } from "@/lib/server/auth/person";
import { newSecret, secretHash } from "@/lib/server/auth/secret";
import type { SlackPress, SlackReply } from "@/lib/server/delivery/slack/handle-event";
import { claimIncident } from "@/lib/server/operations/incidents/act-on-incident";
import type { Acknowledged } from "@/lib/server/operations/incidents/decisions";
import type { IncidentsRuntime } from "@/lib/server/operations/incidents/incident-view";
import { readDelivery } from "@/lib/server/store/delivery/outbox";
import { readRules } from "@/lib/server/store/delivery/rules";
import { inviteSlackUser, readSlackAccount } from "@/lib/server/store/slack/slack-accounts";
import * as words from "./words";

export type PressRuntime = IncidentsRuntime & { appUrl: string };

/** How long a one-time link is valid. */
export const INVITED_MINUTES = 10;

/** An incident that a message is about. */
type About = { company: string; incidentId: number; partner: string; worst: Trouble | null };

/**
 * Acknowledges what a message in Slack is about, as the person who linked their Slack account, with the rights that they
 * have now. Of a message about several incidents, those that they may handle
 * and that the channel's rules still cover.
 * @returns what they are told; null when they see it by the message
 */
export async function pressButton(runtime: PressRuntime, press: SlackPress): Promise<SlackReply> {
  const { database, clock, appUrl } = runtime;
  const account = await readSlackAccount(database.orm, press.user);
  if (account === null) return invite(runtime, press, words.notLinked(INVITED_MINUTES));
  if (account.person.isDisabled) return invite(runtime, press, words.ACCOUNT_ENDED);
  const { id, name, email, issuer, grants } = account.person;
  const restsMs = restsAt({
    isFromProvider: issuer !== null,
    createdMs: account.linkedAt.getTime(),
    signedInMs: account.signedInAt?.getTime() ?? null,
  });
  if (restsMs !== null && restsMs <= clock.nowMs())
    return said(words.RESTING, { url: appUrl, label: words.OPEN_PLUMBLINE });

  const delivery = await readDelivery(database.orm, press.messageId);
  if (delivery === null || delivery.channelId === null) return said(words.TOO_OLD);
  if (!press.channelIds.includes(delivery.channelId)) return said(words.NOT_SENT_HERE);
  const all = await stillSent(runtime, delivery.channelId, aboutOf(delivery.message));
  if (all.length === 0) return said(words.NOT_SENT_ANY_MORE);
  const person: Person = {
    id,
    name,
    email,
    kind: issuer === null ? "local" : "oidc",
    grants: [...grants, ...runtime.auth.access.find(account.person)],
  };
  return answerTo(await claimEach(runtime, { person, all }));
}

/** Those that the message tells of and that hadn't ended then. */
function aboutOf({ incident, company, several }: Message): About[] {
  if (incident !== null && company !== null)
    return [
      {
        company: company.slug,
        incidentId: incident.id,
        partner: incident.partner_name,
        worst: incident.worst_verdict,
      },
    ];
  const about = several?.about;
  return (several?.all ?? []).flatMap((one) =>
    one.incidentId === null || one.endedMs !== null
      ? []
      : {
          company: one.company,
          incidentId: one.incidentId,
          partner: about?.kind === "partner" ? about.partner : one.name,
          worst: one.verdict,
        },
  );
}

/** Those that the channel's rules cover now. */
async function stillSent(
  { database, connections }: PressRuntime,
  channelId: string,
  all: readonly About[],
): Promise<About[]> {
  const rules = (await readRules(database.orm)).filter(({ channelIds }) =>
    channelIds.includes(channelId),
  );
  return all.filter(
    (about) =>
      connections.some(({ company }) => company === about.company) &&
      rules.some(({ rule }) => coversIncident(rule, about)),
  );
}

/** @property isAnyClaimed whether the person acknowledged any @property taken who had acknowledged the others */
type Claimed = { isAnyClaimed: boolean; taken: readonly Acknowledged[] };
type Outcome = Claimed | "forbidden" | "conflict";

async function claimEach(
  runtime: PressRuntime,
  { person, all }: { person: Person; all: readonly About[] },
): Promise<Outcome> {
  const own = all.filter(({ company }) => hasRight(person.grants, "handle-incidents", company));
  const taken: Acknowledged[] = [];
  let isAnyClaimed = false;
  let isAnyOpen = false;
  for (const { company, incidentId } of own) {
    const by = await refusable(() => claimIncident(runtime, { company, id: incidentId, person }));
    if (by === "forbidden") return by;
    if (by === "not_found" || by === "conflict") continue;
    isAnyOpen = true;
    if (by === null) isAnyClaimed = true;
    else taken.push(by);
  }
  if (own.length === 0) return "forbidden";
  return isAnyOpen ? { isAnyClaimed, taken } : "conflict";
}

type Refusal = Extract<FailureCode, "forbidden" | "conflict" | "not_found">;

async function refusable<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { code } = error;
    if (code === "forbidden" || code === "conflict" || code === "not_found") return code;
    throw error;
  }
}

function answerTo(outcome: Outcome): SlackReply {
  if (outcome === "forbidden") return said(words.NO_RIGHT);
  if (outcome === "conflict") return said(words.HAS_ENDED);
  if (outcome.isAnyClaimed) return null;
  const names = new Set(outcome.taken.map(({ by, is_you: isYou }) => (isYou ? "" : by)));
  const [name = ""] = names;
  if (names.size > 1) return said(words.TAKEN);
  return said(name === "" ? words.YOURS : words.takenBy(plainName(name)));
}

async function invite(
  { database, clock, appUrl }: PressRuntime,
  { user }: SlackPress,
  text: string,
): Promise<SlackReply> {
  const token = newSecret();
  const nowMs = clock.nowMs();
  await inviteSlackUser(database, user, {
    tokenHash: secretHash(token),
    expiresMs: nowMs + INVITED_MINUTES * MINUTE_MS,
    nowMs,
  });
  return said(text, { url: slackLinkUrl(appUrl, token), label: words.LINK });
}

/** Behind a `#`, where the secret is in no request's address, and so in no log. */
export function slackLinkUrl(appUrl: string, token: string): string {
  return `${appUrl}/settings/me#slack=${token}`;
}

function said(text: string, link: NonNullable<SlackReply>["link"] = null): SlackReply {
  return { text, link };
}
