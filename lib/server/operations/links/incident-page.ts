import type { SyncStatusView } from "@/lib/contracts/dashboard";
import { zoneName } from "@/lib/domain/time/zone-name";
import { moment } from "@/lib/domain/words/format";
import { datedMoment } from "@/lib/domain/words/dates";
import { incidentHeadline, incidentThenHeadline } from "@/lib/domain/words/incident-headline";
import { MEMBER_ENDING } from "@/lib/domain/words/incident-words";
import { thenAndNowTimes } from "@/lib/domain/words/then-and-now";
import type { SharedLink } from "@/lib/server/auth/share-links";
import type { PlainAnswer } from "@/lib/server/http/answer";
import { html, type Html } from "@/lib/server/http/html";
import type { IncidentRow } from "@/lib/server/store/incidents/read-incidents";
import { page as words } from "./page-words";
import {
  headlineIncident,
  incidentNow,
  nextSyncMs,
  copiedIncident,
  type IncidentNow,
  type CopiedIncident,
  type CopiedMember,
} from "./shared-incident";
import {
  badge,
  cell,
  clockAndZone,
  endpointName,
  framed,
  isFrozenThen,
  liveMain,
  nowCell,
  nowHead,
  thenHead,
  thenRemark,
  thenSide,
  timeText,
  type SharedGiven,
} from "./shared-page";
import { seenMs } from "./shared-rows";

type When = { nowMs: number; timeZone: string };

/**
 * The page of a link to an incident: its sentence, and for each member since when it is in trouble,
 * its state then and now, and how that ended. Contains no people, nothing else of its partner, and
 * nothing after its end.
 */
export function incidentPage(
  link: SharedLink,
  { row, view }: { row: IncidentRow; view: SyncStatusView },
  given: SharedGiven,
): PlainAnswer {
  const { partnerName, shows, stored, sharedByName } = link;
  const then = copiedIncident(stored);
  const now = shows === "then" ? null : incidentNow(row, view, given.nowMs);
  const isLive = now !== null && now.endedMs === null;
  const main =
    now !== null && now.endedMs === null
      ? openMain(link, view, { was: shows === "both" ? then : null, now }, given)
      : stillMain(link, { was: then, ended: now }, given);
  return framed(link, given, {
    title: words.incidentTitle(partnerName, sharedByName),
    what: words.ofIncident(given.companyName, partnerName),
    isLive,
    main,
  });
}

/** An open incident: its state now, and then when `was` is given. */
function openMain(
  link: SharedLink,
  view: SyncStatusView,
  { was: then, now: incident }: { was: CopiedIncident | null; now: IncidentNow },
  given: SharedGiven,
): Html {
  const { partnerName, shows, stored } = link;
  const { timeZone } = given;
  const { now, open, members } = incident;
  const when = { nowMs: now.apiNowMs, timeZone };
  const headlineFacts = headlineIncident(partnerName, incident, (id) => open.get(id)?.verdict);
  const headline = html`<span class="if-seen"
      >${incidentHeadline({ ...headlineFacts, nextSyncMs: nextSyncMs(incident) }, when)}</span
    ><span class="if-blind"
      >${incidentHeadline({ ...headlineFacts, unseenSinceMs: now.asOfMs ?? now.apiNowMs }, when)}</span
    >`;
  const times = thenAndNowTimes({ atMs: seenMs(stored), ...when });
  const head = html`${then === null ? null : thenHead(stored, times.before, timeZone)}${nowHead(now.asOfMs, now.apiNowMs, then === null ? clockAndZone(now.apiNowMs, timeZone) : times.now, timeZone)}`;
  const before = then === null ? null : thenCells(link, then, when);
  const body = html`<h1>${headline}</h1>
    ${then === null ? null : html`<p class="sub">${thenSentence(link, then, when)}</p>`}${
      then === null ? null : thenRemark(stored, now.apiNowMs, timeZone)
    }
    ${table(members, head, when, (member) => html`${before?.(member)}${nowOf(member, incident, when)}`)}
    <p class="note">${words.noteOf(shows)}</p>`;
  return liveMain(view, now, given, body);
}

/**
 * The page of an incident that has ended, or that is shown only as it was: static content.
 * @param shown.ended null: only how it was is shown
 */
function stillMain(
  link: SharedLink,
  { was: then, ended }: { was: CopiedIncident | null; ended: IncidentNow | null },
  { nowMs, timeZone }: SharedGiven,
): Html {
  const { partnerName, shows, stored } = link;
  const when = { nowMs, timeZone };
  const last = ended ?? (then !== null && then.endedMs !== null ? then : null);
  // An incident that had ended already has no different state then.
  const before = shows === "now" || then === null || then.endedMs !== null ? null : then;
  const atMs = seenMs(stored);
  const headline =
    last === null
      ? then === null
        ? null
        : thenSentence(link, then, when)
      : incidentHeadline(
          headlineIncident(partnerName, last, () => undefined),
          when,
        );
  const shown = last ?? then;
  const head = html`${before === null ? null : thenHead(stored, thenAndNowTimes({ atMs, ...when }).before, timeZone)}${last === null ? null : html`<th scope="col">${words.howEnded}</th>`}`;
  const was = before === null ? null : thenCells(link, before, when);
  const note =
    last === null ? words.noteOf(shows) : before === null ? words.hasEnded : words.thenEnded;
  return html`<main class="is-then">
    <h1>${headline}</h1>
    ${before === null || last === null ? null : html`<p class="sub">${thenSentence(link, before, when)}</p>`}${
      before === null ? null : thenRemark(stored, nowMs, timeZone)
    }
    ${table(
      shown?.members ?? [],
      head,
      when,
      (member) => html`${was?.(member)}${last === null ? null : overCell(member, "now", when)}`,
    )}
    <p class="note">${note}</p>
  </main>`;
}

function table(
  members: readonly CopiedMember[],
  head: Html,
  { nowMs, timeZone }: When,
  cells: (member: CopiedMember) => Html,
): Html {
  return html`<table>
    <caption class="sr">
      ${words.table}
    </caption>
    <thead>
      <tr>
        <th scope="col">${words.endpoint}</th>
        <th scope="col">${words.since(zoneName(nowMs, timeZone))}</th>
        ${head}
      </tr>
    </thead>
    <tbody>
      ${members.map(
        (member) =>
          html`<tr>
            <th scope="row">${endpointName(member.endpointKey)}</th>
            <td>${timeText(member.beganMs, moment(member.beganMs, nowMs, timeZone), timeZone)}</td>
            ${cells(member)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function thenSentence(
  { partnerName, stored }: SharedLink,
  then: CopiedIncident,
  when: When,
): string {
  const verdicts = new Map(stored.endpoints.map(({ id, verdict }) => [id, verdict]));
  const headlineFacts = headlineIncident(partnerName, then, (id) => verdicts.get(id));
  return `${incidentThenHeadline(headlineFacts, { atMs: seenMs(stored), wasBlind: isFrozenThen(stored), ...when })}.`;
}

/** State of each member when the link was made; one that joined since has none. */
function thenCells(
  { stored }: SharedLink,
  then: CopiedIncident,
  when: When,
): (member: CopiedMember) => Html {
  const endpoints = new Map(stored.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const members = new Map(then.members.map((member) => [member.id, member]));
  return ({ id }) => {
    const [endpoint, member] = [endpoints.get(id), members.get(id)];
    if (endpoint !== undefined) {
      return cell(thenSide(endpoint), "then", { isFrozen: isFrozenThen(stored) });
    }
    if (member === undefined) {
      return html`<td class="then"><span class="quiet">${words.notYetPart}</span></td>`;
    }
    return overCell(member, "then", when);
  };
}

function nowOf(member: CopiedMember, { open }: IncidentNow, when: When): Html {
  const known = open.get(member.id);
  if (known === undefined) return overCell(member, "now", when);
  if (known.shown !== null) return nowCell(known.shown);
  return html`<td class="now">
    ${badge(known.verdict, true)} <span class="quiet">${words.notListed}</span>
  </td>`;
}

/** How a member's trouble ended, and when. */
function overCell(
  { endedMs, ending }: CopiedMember,
  kind: "then" | "now",
  { nowMs, timeZone }: When,
): Html {
  if (endedMs === null || ending === null) {
    return html`<td class="${kind}"><span class="quiet">${words.notKnown}</span></td>`;
  }
  const text = words.over(datedMoment(endedMs, nowMs, timeZone), MEMBER_ENDING[ending]);
  return html`<td class="${kind}">${timeText(endedMs, text, timeZone)}</td>`;
}
