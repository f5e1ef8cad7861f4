import type {
  MessageContent,
  MessageItem,
  MessageNews,
} from "@/lib/domain/delivery/message-content";
import { nameWithId } from "@/lib/domain/delivery/message";
import type { OneOfSeveral, Several } from "@/lib/domain/delivery/several";
import {
  compareTroubles,
  type IncidentEnding,
  type Trouble,
} from "@/lib/domain/incidents/incident";
import { plainName } from "@/lib/domain/text/plain-name";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { are } from "@/lib/domain/words/customer/feeds";
import { createReadingClock, type ReadingClock } from "@/lib/domain/words/customer/reading-clock";
import { fullMoment } from "@/lib/domain/words/dates";
import { allOf, count, counted, duration } from "@/lib/domain/words/format";
import { fleetLeftText } from "@/lib/domain/words/fleet/fleet-words";
import {
  ENDING_LABEL,
  ENDING_SENTENCE,
  spokenEnding,
  type Spoken,
} from "@/lib/domain/words/incident-words";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { OPEN_PLUMBLINE } from "./company-content";
import { CANNOT_TELL, lastedSentence, NO_ONE } from "./incident-content";
import { listedUpTo } from "./listed-up-to";

/** Contents of messages about several customers, or several partners of one. */

/** Named in a message; further ones are counted. */
const MAX_NAMED = 12;
/** Named in a sentence. */
const MAX_IN_SENTENCE = 3;

/** @param foot see `ruleFoot` */
export function severalContent(several: Several, foot: MessageContent["foot"]): MessageContent {
  const named = {
    ...several,
    all: several.all.map((one) => ({ ...one, name: plainName(one.name) })),
  };
  // The first time in reading order names the zone.
  const clock = createReadingClock({ nowMs: several.writtenMs, timeZone: several.timeZone });
  const parts =
    several.about.kind === "host"
      ? visibilityParts(named, several.about, clock)
      : troubleParts(named, clock);
  const written = fullMoment(several.writtenMs, several.timeZone);
  return { news: [], fields: [], paragraph: null, written, foot, ...parts };
}

type Parts = Pick<
  MessageContent,
  "title" | "state" | "badge" | "lead" | "items" | "more" | "open"
> &
  Partial<Pick<MessageContent, "news" | "fields">>;

/** What is counted in a message. */
function thing({ about }: Several, amount: number): string {
  return counted(amount, about.kind === "limited" ? "partner" : "customer");
}

function troubleParts(several: Several, clock: ReadingClock): Parts {
  return several.tells === "ended" ? overParts(several, clock) : openParts(several, clock);
}

function openParts(several: Several, clock: ReadingClock): Parts {
  const { all, tells } = several;
  const open = all.filter(({ endedMs }) => endedMs === null).toSorted(worstFirst);
  const worst = open[0]?.verdict ?? null;
  const since = clock.at(Math.min(...open.map(({ sinceMs }) => sinceMs)));
  const items = open.map(({ verdict, sinceMs, ...one }): MessageItem => ({
    name: nameWithId(one),
    state: verdict,
    how: `${verdict === null ? CANNOT_TELL : VERDICT_LABEL[verdict]} since ${clock.at(sinceMs)}`,
    facts: "",
  }));
  const over = countsByEnding(all.filter(({ endedMs }) => endedMs !== null));
  return {
    title: `${openTitle(several, open)} since ${since}`,
    state: worst ?? "cannot_tell",
    badge: worst === null ? CANNOT_TELL : VERDICT_LABEL[worst],
    news: tells === "changed" ? newsOf(several) : [],
    lead: over === "" ? [] : [`No longer behind: ${over}.`],
    items: items.slice(0, MAX_NAMED),
    more: moreText(open.slice(MAX_NAMED)),
    fields: [{ label: "Acknowledged", value: acknowledgedText(open) }],
    open: OPEN_PLUMBLINE,
  };
}

/** "Procore is behind at 9 customers", "Northgate: 30 partners are rate limited" */
function openTitle(several: Several, open: readonly OneOfSeveral[]): string {
  const { about } = several;
  const [only, ...others] = open;
  const isOne = only !== undefined && others.length === 0;
  if (about.kind === "limited") {
    const which = isOne ? `${only.name} is` : `${thing(several, open.length)} are`;
    return `${plainName(about.company.name)}: ${which} rate limited`;
  }
  const partner = about.kind === "partner" ? plainName(about.partner) : "";
  return `${partner} is behind at ${isOne ? only.name : thing(several, open.length)}`;
}

/** What the messages before didn't tell. */
function newsOf({ all }: Several): MessageNews[] {
  const added = all.filter(({ isNew, endedMs }) => isNew && endedMs === null);
  const ended = all.filter(({ hasEndedSince }) => hasEndedSince);
  const recovered = ended.filter(({ ending }) => ending === "recovered");
  const news = [
    ...(added.length === 0 ? [] : [`${namesOf(added)} ${are(added.length)} behind too`]),
    ...(recovered.length === 0 ? [] : [`${namesOf(recovered)} recovered`]),
    ...ended.flatMap(({ name, ending, isResting }) =>
      ending === null || ending === "recovered"
        ? []
        : fleetLeftText(name, spokenEnding(ending, isResting)),
    ),
  ];
  return news.map((text) => ({ text, isMinor: false }));
}

function overParts(several: Several, clock: ReadingClock): Parts {
  const { all } = several;
  const alone = all.filter(({ endedMs }) => endedMs === null);
  const ended = all.filter(({ endedMs }) => endedMs !== null);
  const isRecovered = ended.every(({ ending }) => ending === "recovered");
  const isWhole = isRecovered && alone.length === 0;
  const sinceMs = Math.min(...all.map((one) => one.sinceMs));
  const untilMs =
    ended.length === 0 ? sinceMs : Math.max(...ended.map((one) => one.endedMs ?? sinceMs));
  // The first time in reading order names the zone.
  const lead = [
    lastedSentence(sinceMs, untilMs, clock),
    ...(isWhole ? [] : [`${countsByEnding(all)}.`]),
  ];
  const items = [...alone.toSorted(worstFirst), ...ended.toSorted(recoveredLast)].map(
    (one): MessageItem =>
      one.endedMs === null
        ? {
            name: nameWithId(one),
            state: one.verdict ?? "cannot_tell",
            how: `${one.verdict === null ? CANNOT_TELL : `Still ${one.verdict}`} since ${clock.at(one.sinceMs)}`,
            facts: "It gets its own messages from now on.",
          }
        : {
            name: nameWithId(one),
            state: one.ending === "recovered" ? "recovered" : "ended",
            how: `${one.ending === null ? "Over" : ENDING_LABEL[spokenEnding(one.ending, one.isResting)]} ${clock.on(one.endedMs)}`,
            facts: "",
          },
  );
  return {
    title: isWhole ? recoveredTitle(several) : overTitle(several, ended.length),
    state: isWhole ? "recovered" : "ended",
    badge: isWhole ? "Recovered" : "Ended",
    lead,
    items: items.slice(0, MAX_NAMED),
    more: items.length > MAX_NAMED ? `and ${count(items.length - MAX_NAMED)} more` : null,
    open: OPEN_PLUMBLINE,
  };
}

/** "Procore recovered at all 9 customers", "Northgate: all 30 rate-limited partners recovered" */
function recoveredTitle({ about, all }: Several): string {
  const [only, ...others] = all;
  const one = others.length === 0 ? only?.name : undefined;
  if (about.kind === "limited")
    return `${plainName(about.company.name)}: ${one ?? `${allOf(all.length)} rate-limited partners`} recovered`;
  const partner = about.kind === "partner" ? plainName(about.partner) : "";
  return `${partner} recovered at ${one ?? `${allOf(all.length)} customers`}`;
}

/** "Procore is no longer behind at 8 customers" */
function overTitle(several: Several, ended: number): string {
  const { about } = several;
  if (about.kind === "limited")
    return `${plainName(about.company.name)}: ${thing(several, ended)} ${are(ended)} no longer behind`;
  const partner = about.kind === "partner" ? plainName(about.partner) : "";
  return `${partner} is no longer behind at ${thing(several, ended)}`;
}

function visibilityParts(
  several: Several,
  { host, reason }: { host: string; reason: "unreachable" | "rate_limited" },
  clock: ReadingClock,
): Parts {
  const { all, tells } = several;
  const [only, ...others] = all;
  const where = `${others.length === 0 ? (only?.name ?? "") : thing(several, all.length)} at ${hostName(host)}`;
  const sinceMs = Math.min(...all.map((one) => one.sinceMs));
  const shown = {
    more: all.length > MAX_NAMED ? `and ${count(all.length - MAX_NAMED)} more` : null,
    open: OPEN_PLUMBLINE,
  };
  const itemsOf = (how: (one: OneOfSeveral) => string) =>
    all.slice(0, MAX_NAMED).map((one): MessageItem => ({
      name: nameWithId(one),
      state: null,
      how: how(one),
      facts: "",
    }));
  if (tells === "ended") {
    const untils = all.flatMap(({ endedMs }) => endedMs ?? []);
    const untilMs = Math.max(sinceMs, ...untils);
    const areTogether = untilMs - Math.min(untilMs, ...untils) < MINUTE_MS;
    const period = `from ${clock.at(sinceMs)} to ${clock.at(untilMs)} (${duration(untilMs - sinceMs)})`;
    return {
      ...shown,
      title: `We can see ${where} again`,
      state: "seen_again",
      badge: "Seen again",
      lead: [
        areTogether ? `We couldn’t ${period}.` : `We couldn’t see all of them ${period}.`,
        "Incidents that began or ended meanwhile have their own messages.",
      ],
      items: itemsOf(({ endedMs }) =>
        areTogether || endedMs === null ? "" : `Seen again ${clock.on(endedMs)}`,
      ),
    };
  }
  return {
    ...shown,
    items: itemsOf(() => ""),
    title: `We haven’t been able to see ${where} since ${clock.at(sinceMs)}`,
    state: "blind",
    badge: "Can’t see",
    lead: [
      reason === "unreachable" ? "The source isn’t responding." : "Rate limited by the source.",
      "Until we can, we don’t know how their partners are doing.",
    ],
  };
}

/** "https://api.example:443" as people know it. */
function hostName(host: string): string {
  return plainName(host.replace(/^https?:\/\//, "").replace(/:(?:443|80)$/, ""));
}

function worstFirst(a: OneOfSeveral, b: OneOfSeveral): number {
  return troubleRank(b.verdict, a.verdict) || a.sinceMs - b.sinceMs || (a.name < b.name ? -1 : 1);
}

function troubleRank(a: Trouble | null, b: Trouble | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return compareTroubles(a, b);
}

function recoveredLast(a: OneOfSeveral, b: OneOfSeveral): number {
  return Number(a.ending === "recovered") - Number(b.ending === "recovered");
}

/** After a number, where `ENDING_SENTENCE` is a sentence of its own. */
const COUNTED_ENDING: Readonly<Record<Spoken<IncidentEnding>, string>> = {
  ...ENDING_SENTENCE,
  expected: "in a planned quiet time, no data received",
  schedule_changed: "on another schedule, no data received",
  mixed: "whose feeds cleared for different reasons",
};

/** "8 recovered; 1 paused at the source, no data received; 1 still behind" */
function countsByEnding(all: readonly OneOfSeveral[]): string {
  const counts = new Map<Spoken<IncidentEnding> | null, number>();
  for (const { ending, endedMs, isResting } of all) {
    const how = endedMs === null ? null : ending && spokenEnding(ending, isResting);
    counts.set(how, (counts.get(how) ?? 0) + 1);
  }
  return [...counts]
    .map(
      ([ending, amount]) =>
        `${count(amount)} ${ending === null ? "still behind" : COUNTED_ENDING[ending]}`,
    )
    .join("; ");
}

/** "and 28 more: 20 failing, 8 late" */
function moreText(rest: readonly OneOfSeveral[]): string | null {
  if (rest.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { verdict } of rest)
    counts.set(verdict ?? "unknown", (counts.get(verdict ?? "unknown") ?? 0) + 1);
  const by = [...counts].map(([verdict, amount]) => `${count(amount)} ${verdict}`).join(", ");
  return `and ${count(rest.length)} more: ${by}`;
}

/** "No one yet", "3 of 9" */
function acknowledgedText(open: readonly OneOfSeveral[]): string {
  const by = open.flatMap(({ acknowledgedBy }) => acknowledgedBy ?? []);
  if (by.length === 0) return NO_ONE;
  const who = listedUpTo(MAX_IN_SENTENCE, [...new Set(by)].map(plainName));
  return by.length === open.length ? who : `${who} (${count(by.length)} of ${count(open.length)})`;
}

function namesOf(all: readonly OneOfSeveral[]): string {
  return listedUpTo(
    MAX_IN_SENTENCE,
    all.map(({ name }) => name),
  );
}
