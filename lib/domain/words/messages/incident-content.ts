import { missedSyncMs } from "@/lib/domain/incidents/missed-sync";
import {
  MAX_ITEMS,
  type MessageContent,
  type MessageItem,
} from "@/lib/domain/delivery/message-content";
import type { MessageIncident } from "@/lib/domain/delivery/message";
import {
  isTrouble,
  isWhollyResting,
  membersInOrder,
  TROUBLES,
  type Trouble,
} from "@/lib/domain/incidents/incident";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { listed } from "@/lib/domain/text/listed";
import type { Judgement, Reason } from "@/lib/domain/verdict";
import { createReadingClock, type ReadingClock } from "@/lib/domain/words/customer/reading-clock";
import { count, counted, duration, span } from "@/lib/domain/words/format";
import { fullMoment } from "@/lib/domain/words/dates";
import {
  CLOCK_WENT_BACK_SENTENCE,
  ENDING_LABEL,
  ENDING_SENTENCE,
  lastedText,
  MEMBER_ENDING,
  settledText,
  spokenEnding,
} from "@/lib/domain/words/incident-words";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { reasonSentence } from "@/lib/domain/words/sentences";
import { endingSentence, reportedLateMs, type LastData } from "./ending-sentence";
import { capital } from "@/lib/domain/text/capital";

/** What a message about one company's incident is composed from. Instants are epoch milliseconds. */
export type IncidentStory = {
  tells: "opened" | "changed" | "worse" | "reminder" | "ended";
  /** As of the message, with names that are safe in sentences. */
  incident: MessageIncident;
  /** The company's name. */
  company: string;
  /** What happened since the destination's last message about it. */
  news: MessageContent["news"];
  /** Feeds of the partner as of the last check, by endpoint id; null: the message is about a past state. */
  feeds: ReadonlyMap<string, Judgement> | null;
  /** When they were checked; null: they weren't. */
  checkedMs: number | null;
  /** By endpoint id. */
  lastData: LastData;
  /** How much of it wasn't checked; null: unknown. */
  unseenMs: number | null;
  /** See `MessageContent`. */
  paragraph: string | null;
  /** When the message is due. */
  atMs: number;
  /** When it is written: times of another day are dated. */
  writtenMs: number;
  /** The destination's, an IANA name. */
  timeZone: string;
  foot: MessageContent["foot"];
};

type Member = MessageIncident["members"][number];

/** The content of a message about one company's incident. */
export function incidentContent(story: IncidentStory): MessageContent {
  const { incident, tells, foot, paragraph } = story;
  const reminder = { text: "No one has acknowledged it yet", isMinor: false };
  const news = tells === "reminder" ? [...story.news, reminder] : story.news;
  // The first time in reading order names the zone.
  const clock = createReadingClock({ nowMs: story.writtenMs, timeZone: story.timeZone });
  const common = {
    news,
    paragraph,
    written: fullMoment(story.writtenMs, story.timeZone),
    open: openLabel(incident),
    foot,
  };
  return tells === "ended"
    ? { ...common, ...endedParts(story, clock) }
    : { ...common, ...openParts(story, clock) };
}

export const openLabel = ({ id }: Pick<MessageIncident, "id">) => `Open incident ${id}`;
export const NO_ONE = "No one yet";
export const ADMINISTRATORS = "Administrators";

type Parts = Pick<
  MessageContent,
  "title" | "state" | "badge" | "lead" | "items" | "more" | "fields"
>;

function openParts(story: IncidentStory, clock: ReadingClock): Parts {
  const { incident, feeds } = story;
  const open = incident.members.filter(({ ended_at: ended }) => ended === null);
  const troubles = open.filter(({ verdict }) => isTrouble(verdict));
  const worst = incident.verdict;
  const isSettling = open.length === 0 && incident.members.length > 0;
  const endings = incident.members.map(({ ending }) => ending);
  const lead = [
    `Since ${clock.at(Date.parse(incident.began_at))}.`,
    ...(isSettling ? [`${capital(settledText(endings, "is"))} now.`] : []),
    ...nextSentence(troubles, feeds, clock),
    ...unseenSentence(story),
    ...ageSentence(story, clock),
  ];
  const items = membersInOrder(incident.members).map((member) => itemOf(member, story, clock));
  return {
    title: `${incident.partner_name} at ${story.company} ${predicate(story, troubles, isSettling)}`,
    state: worst ?? (isSettling ? "neutral" : "cannot_tell"),
    badge: worst === null ? (isSettling ? "Settling" : CANNOT_TELL) : VERDICT_LABEL[worst],
    lead,
    items: items.slice(0, MAX_ITEMS),
    more: moreText(membersInOrder(incident.members).slice(MAX_ITEMS)),
    fields: [...feedsField(open, troubles, feeds), ...handsFields(incident, clock)],
  };
}

export const CANNOT_TELL = "Can’t tell";

/** "is stale", "needs attention: 1 feed failing, 2 late", "got worse: now failing" */
function predicate(
  { tells }: IncidentStory,
  troubles: readonly Member[],
  isSettling: boolean,
): string {
  if (isSettling) return "is settling";
  const counts = verdictCounts(troubles);
  const [first, ...others] = counts;
  if (first === undefined)
    return tells === "reminder" ? "still needs attention" : "needs attention";
  const mixed = counts
    .map(({ verdict, amount }, index) =>
      index === 0 ? `${counted(amount, "feed")} ${verdict}` : `${count(amount)} ${verdict}`,
    )
    .join(", ");
  const isOne = others.length === 0;
  if (tells === "worse") return isOne ? `got worse: now ${first.verdict}` : `got worse: ${mixed}`;
  const still = tells === "reminder" ? "still " : "";
  return isOne
    ? `is ${still}${first.verdict}`
    : `${tells === "reminder" ? "still needs" : "needs"} attention: ${mixed}`;
}

/** Worst first, without zeros. */
function verdictCounts(members: readonly Member[]): { verdict: Trouble; amount: number }[] {
  return TROUBLES.toReversed()
    .map((verdict) => ({
      verdict,
      amount: members.filter((one) => one.verdict === verdict).length,
    }))
    .filter(({ amount }) => amount > 0);
}

function itemOf(
  member: Member,
  { incident, feeds }: IncidentStory,
  clock: ReadingClock,
): MessageItem {
  const { endpoint_key: name, verdict, ending, ended_at: ended } = member;
  if (ended !== null && ending !== null) {
    const isData = ending === "data_received" || ending === "run_completed";
    const [first = "", ...more] =
      MEMBER_ENDING[spokenEnding(ending, member.is_resting)].split(/, |; /);
    const lateMs = reportedLateMs(member);
    const at = clock.passed(lateMs ?? Date.parse(ended));
    return {
      name,
      state: isData ? "recovered" : "ended",
      how: capital(
        [`${first} ${at}`, ...more, ...(lateMs === null ? [] : ["reported late"])].join(", "),
      ),
      facts: "",
    };
  }
  if (!isTrouble(verdict))
    return { name, state: "cannot_tell", how: CANNOT_TELL, facts: "Its state isn’t known now." };
  const feed = feeds?.get(member.endpoint_id);
  // Figures of another state than the one that the message is about would contradict it.
  const judgement = feed?.word === verdict ? feed : null;
  const overdueMs = judgement?.terms.latenessMs ?? 0;
  const overdue = overdueMs > 0 ? `, ${duration(overdueMs)} overdue` : "";
  const beganMs = Date.parse(member.began_at);
  const isLater = beganMs - Date.parse(incident.began_at) >= MINUTE_MS;
  return {
    name,
    state: verdict,
    how: `${VERDICT_LABEL[verdict]}${overdue}`,
    facts: [
      ...(judgement === null ? [] : dataSentence(judgement, clock)),
      ...(isLater ? [`Since ${clock.passedBy(beganMs)}.`] : []),
      ...(judgement === null ? [] : whySentences(judgement, clock)),
    ].join(" "),
  };
}

function dataSentence({ terms }: Judgement, clock: ReadingClock): string[] {
  const { landingMs, cadenceMs, cadenceSource } = terms;
  const learned = cadenceSource === "learned" ? " (learned)" : "";
  const every = cadenceMs === null ? "" : `expected every ${span(cadenceMs)}${learned}`;
  if (landingMs === null) return every === "" ? [] : [`No data yet, ${every}.`];
  return [`Data is from ${clock.at(landingMs)}${every === "" ? "" : `, ${every}`}.`];
}

const CAUSES: ReadonlySet<Reason["code"]> = new Set([
  "stuck",
  "failing",
  "single_failure",
  "rate_limited",
  "learned_quiet",
]);

/** Only what the data says: failed and stuck runs, rate limits, and time that isn't counted. */
function whySentences({ reasons }: Judgement, { nowMs, timeZone }: ReadingClock): string[] {
  return reasons
    .filter(({ code }) => CAUSES.has(code))
    .map((reason) => reasonSentence(reason, { nowMs, timeZone }));
}

/** The earliest attempt of those in trouble. */
function nextSentence(
  troubles: readonly Member[],
  feeds: IncidentStory["feeds"],
  clock: ReadingClock,
): string[] {
  const judged = troubles.flatMap(({ endpoint_id: id }) => feeds?.get(id) ?? []);
  if (judged.length === 0) return [];
  const times = judged.flatMap(({ terms }) => terms.nextMs ?? []);
  const coming = times.filter((ms) => ms > clock.nowMs);
  if (coming.length > 0) return [`Next attempt ${clock.at(Math.min(...coming))}.`];
  if (judged.some(({ overlays }) => overlays.syncing && !overlays.stuck))
    return ["A sync is running now."];
  const missed = judged.flatMap(({ terms }) => missedSyncMs(terms, clock.nowMs) ?? []);
  return missed.length > 0
    ? [`The next attempt was due ${clock.passed(Math.max(...missed))} and hasn’t started.`]
    : ["No time is set for the next attempt."];
}

/** Older figures are dated. */
const PRESENT_MS = 3 * MINUTE_MS;

function ageSentence({ checkedMs, writtenMs }: IncidentStory, clock: ReadingClock): string[] {
  if (checkedMs === null || writtenMs - checkedMs <= PRESENT_MS) return [];
  return [`Figures are from our last check, ${clock.passed(checkedMs)}.`];
}

function unseenSentence({ unseenMs }: IncidentStory): string[] {
  return unseenMs === null || unseenMs < MINUTE_MS
    ? []
    : [`We couldn’t check ${duration(unseenMs)} of that time.`];
}

/** "and 3 more: 1 failing, 2 late" */
function moreText(members: readonly Member[]): string | null {
  if (members.length === 0) return null;
  const open = members.filter(({ ended_at: ended }) => ended === null);
  const unknown = open.filter(({ verdict }) => !isTrouble(verdict)).length;
  const over = members.length - open.length;
  const parts = [
    ...verdictCounts(open).map(({ verdict, amount }) => `${count(amount)} ${verdict}`),
    ...(unknown === 0 ? [] : [`${count(unknown)} can’t tell`]),
    ...(over === 0 ? [] : [`${count(over)} over`]),
  ];
  return `And ${count(members.length)} more: ${parts.join(", ")}.`;
}

function feedsField(
  open: readonly Member[],
  troubles: readonly Member[],
  feeds: IncidentStory["feeds"],
): MessageContent["fields"] {
  const unknown = open.length - troubles.length;
  const more = unknown === 0 ? "" : `, ${count(unknown)} can’t tell`;
  const total = Math.max(feeds?.size ?? 0, open.length);
  const of = feeds === null ? "" : ` of ${count(total)}`;
  return open.length === 0
    ? []
    : [{ label: "Feeds behind", value: `${count(troubles.length)}${of}${more}` }];
}

function handsFields(
  { acknowledged, owner }: MessageIncident,
  clock: ReadingClock,
): MessageContent["fields"] {
  const { by, at, until } = acknowledged ?? { by: NO_ONE, at: null, until: null };
  const since = at === null ? "" : `, since ${clock.at(Date.parse(at))}`;
  const end = until === null ? "" : `, until ${clock.at(Date.parse(until))}`;
  return [
    { label: "Acknowledged", value: `${by}${since}${end}` },
    { label: "Owner", value: owner?.name ?? ADMINISTRATORS },
  ];
}

function endedParts(story: IncidentStory, clock: ReadingClock): Parts {
  const { incident, company, atMs } = story;
  const { partner_name: partner, ending, acknowledged, owner } = incident;
  const beganMs = Date.parse(incident.began_at);
  const endedMs = incident.ended_at === null ? atMs : Date.parse(incident.ended_at);
  const isRecovered = ending === "recovered";
  const isResting = isWhollyResting(
    incident.members.map(({ is_resting: is }) => ({ isResting: is })),
  );
  const spoken = ending === null ? null : spokenEnding(ending, isResting);
  const how = spoken === null || spoken === "mixed" ? "" : `: ${ENDING_SENTENCE[spoken]}`;
  return {
    title: isRecovered
      ? `${partner} at ${company} recovered`
      : `${partner} at ${company}: incident ended${how.replace(": ", ", ")}`,
    state: isRecovered ? "recovered" : "ended",
    badge: spoken === null ? "Ended" : ENDING_LABEL[spoken],
    lead: [
      endingSentence(incident.members, story.lastData, clock),
      lastedSentence(beganMs, endedMs, clock),
      ...unseenSentence(story),
    ].filter((sentence) => sentence !== ""),
    items: [],
    more: null,
    fields: [
      ...(acknowledged === null ? [] : [{ label: "Acknowledged", value: acknowledged.by }]),
      { label: "Owner", value: owner?.name ?? ADMINISTRATORS },
    ],
  };
}

/** How long it lasted, or why we can't tell. Instants on the source's clock, epoch milliseconds. */
export function lastedSentence(beganMs: number, endedMs: number, clock: ReadingClock): string {
  const lasted = lastedText(beganMs, endedMs);
  return lasted === null
    ? CLOCK_WENT_BACK_SENTENCE
    : `It lasted ${lasted}, from ${clock.at(beganMs)} to ${clock.at(endedMs)}.`;
}

/** "Procore (failing: drawings and 2 more; late: models)": an incident in a list. */
export function membersByVerdict({ members }: Pick<MessageIncident, "members">): string {
  const open = membersInOrder(members.filter(({ ended_at: ended }) => ended === null));
  const all = open.length === 0 ? members : open;
  const named = all.slice(0, MAX_ITEMS);
  const verdicts = [...new Set(all.map(({ verdict }) => verdict))];
  return verdicts
    .map((verdict) => {
      const names = named.flatMap((one) => (one.verdict === verdict ? [one.endpoint_key] : []));
      const more = all.filter((one) => one.verdict === verdict).length - names.length;
      const rest =
        more === 0 ? [] : [names.length === 0 ? counted(more, "feed") : `${count(more)} more`];
      return `${verdict}: ${listed([...names, ...rest])}`;
    })
    .join("; ");
}
