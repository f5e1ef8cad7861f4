import type { ReactNode } from "react";
import type {
  IncidentPresent,
  PresentEndpoint,
  SharedIncidentPage,
} from "@/lib/contracts/shared-page";
import { isTrouble } from "@/lib/domain/incidents/incident";
import { zoneName } from "@/lib/domain/time/zone-name";
import { datedMoment } from "@/lib/domain/words/dates";
import { moment } from "@/lib/domain/words/format";
import { incidentHeadline, incidentThenHeadline } from "@/lib/domain/words/incident-headline";
import { MEMBER_ENDING } from "@/lib/domain/words/incident-words";
import { thenAndNowTimes } from "@/lib/domain/words/then-and-now";
import {
  endedSentence,
  headlineIncident,
  type CopiedIncident,
  type CopiedMember,
} from "@/lib/domain/words/copied-incident";
import {
  EndpointName,
  EndpointTable,
  isFrozen,
  NowCell,
  NowHead,
  Quiet,
  SeenOrBlind,
  ThenCell,
  ThenHead,
  ThenRemark,
  VerdictBadge,
} from "./cells";
import { CustomerParagraph } from "./customer-paragraph";
import { LiveMain } from "./live-main";
import { PageFrame } from "./page-frame";
import { clockAndZone, TimeText, type When } from "./times";
import { page as words } from "./words";

/**
 * The page of a link to an incident: its sentence, and for each member since when it is in trouble, its state then and
 * now, and how that ended. Contains no people, nothing else of its partner, and nothing after its end.
 */
export function IncidentPage({ page }: { page: SharedIncidentPage }) {
  const { partnerName, companyName, sharedByName, incident } = page;
  const open = incident !== null && incident.endedMs === null ? incident : null;
  return (
    <PageFrame
      page={page}
      title={words.incidentTitle(partnerName, sharedByName)}
      what={words.ofIncident(companyName, partnerName)}
      isLive={open !== null}
    >
      {open === null ? <StillMain page={page} /> : <OpenMain page={page} incident={open} />}
    </PageFrame>
  );
}

/** An open incident: its state now, and then if the link shows both. */
function OpenMain({ page, incident }: { page: SharedIncidentPage; incident: IncidentPresent }) {
  const { partnerName, shows, timeZone } = page;
  const { now, open, members, nextSyncMs } = incident;
  const was = shows === "both" ? page.past.incident : null;
  const when = { nowMs: now.apiNowMs, timeZone };
  const headlineFacts = headlineIncident(partnerName, incident, (id) => open.get(id)?.verdict);
  const times = thenAndNowTimes({ atMs: page.past.atMs, ...when });
  return (
    <LiveMain now={now} timeZone={timeZone}>
      {now.asOfMs !== null && now.endpoints.some(isBehind) ? (
        <CustomerParagraph
          partnerName={partnerName}
          now={now}
          total={incident.endpointCount}
          timeZone={timeZone}
        />
      ) : null}
      <h1>
        <SeenOrBlind
          seen={incidentHeadline({ ...headlineFacts, nextSyncMs }, { ...when, namesZone })}
          blind={incidentHeadline(
            { ...headlineFacts, unseenSinceMs: now.asOfMs ?? now.apiNowMs },
            { ...when, namesZone },
          )}
        />
      </h1>
      {was === null ? null : (
        <>
          <p className="sub">{thenSentence(page, was, when)}</p>
          <ThenRemark past={page.past} when={when} />
        </>
      )}
      <MemberTable
        when={when}
        head={
          <>
            {was === null ? null : (
              <ThenHead past={page.past} before={times.before} timeZone={timeZone} />
            )}
            <NowHead
              now={now}
              time={was === null ? clockAndZone(when) : times.now}
              timeZone={timeZone}
            />
          </>
        }
        members={members}
        cells={(member) => (
          <>
            {was === null ? null : <MemberThen page={page} was={was} member={member} when={when} />}
            <MemberNow member={member} incident={incident} when={when} isCompared={was !== null} />
          </>
        )}
      />
      <p className="note">
        {words.noteOf(shows)} {words.line}
      </p>
    </LiveMain>
  );
}

/** Readers may be anywhere. */
const namesZone = true;

const isBehind = ({ judgement }: PresentEndpoint) => isTrouble(judgement.word);

/** An incident that has ended, or that is shown only as it was: static content. */
function StillMain({ page }: { page: SharedIncidentPage }) {
  const { partnerName, shows, past, incident: ended, nowMs, timeZone } = page;
  const when = { nowMs, timeZone };
  const was = past.incident;
  const last = ended ?? (was !== null && was.endedMs !== null ? was : null);
  // An incident that had ended already has no different state then.
  const before = shows === "now" || was === null || was.endedMs !== null ? null : was;
  const { before: time } = thenAndNowTimes({ atMs: past.atMs, ...when });
  const headline =
    last === null ? wasHeadline() : endedSentence(partnerName, last, { ...when, namesZone });
  const note =
    last === null ? words.noteOf(shows) : before === null ? words.hasEnded : words.thenEnded;
  return (
    <main className="is-then">
      <h1>{headline}</h1>
      {before === null || last === null ? null : (
        <p className="sub">{thenSentence(page, before, when)}</p>
      )}
      {before === null ? null : <ThenRemark past={past} when={when} />}
      <MemberTable
        when={when}
        head={
          <>
            {before === null ? null : <ThenHead past={past} before={time} timeZone={timeZone} />}
            {last === null ? null : (
              <th scope="col">{words.howEnded(zoneName(nowMs, timeZone))}</th>
            )}
          </>
        }
        members={(last ?? was)?.members ?? []}
        cells={(member) => (
          <>
            {before === null ? null : (
              <MemberThen page={page} was={before} member={member} when={when} />
            )}
            {last === null ? null : <EndingCell member={member} kind="now" when={when} />}
          </>
        )}
      />
      <p className="note">{note}</p>
    </main>
  );

  function wasHeadline(): string | null {
    return was === null ? null : thenSentence(page, was, when);
  }
}

function MemberTable({
  when: { nowMs, timeZone },
  head,
  members,
  cells,
}: {
  when: When;
  head: ReactNode;
  members: readonly CopiedMember[];
  cells: (member: CopiedMember) => ReactNode;
}) {
  const since = <th scope="col">{words.since(zoneName(nowMs, timeZone))}</th>;
  return (
    <EndpointTable
      head={
        <>
          {since}
          {head}
        </>
      }
    >
      {members.map((member) => (
        <tr key={member.id}>
          <EndpointName endpointKey={member.endpointKey} />
          <td>
            <TimeText
              ms={member.beganMs}
              text={moment(member.beganMs, nowMs, timeZone)}
              timeZone={timeZone}
            />
          </td>
          {cells(member)}
        </tr>
      ))}
    </EndpointTable>
  );
}

function thenSentence(
  { partnerName, past }: SharedIncidentPage,
  was: CopiedIncident,
  when: When,
): string {
  const verdicts = new Map(past.endpoints.map(({ id, word }) => [id, word]));
  const headlineFacts = headlineIncident(partnerName, was, (id) => verdicts.get(id));
  return `${incidentThenHeadline(headlineFacts, { atMs: past.atMs, wasBlind: isFrozen(past), ...when, namesZone })}.`;
}

/** State of a member when the link was made; one that joined since has none. */
function MemberThen({
  page: { past },
  was,
  member,
  when,
}: {
  page: SharedIncidentPage;
  was: CopiedIncident;
  member: CopiedMember;
  when: When;
}) {
  const endpoint = past.endpoints.find(({ id }) => id === member.id);
  if (endpoint !== undefined) return <ThenCell side={endpoint} past={past} />;
  const before = was.members.findLast(({ id }) => id === member.id);
  if (before !== undefined) return <EndingCell member={before} kind="then" when={when} />;
  return (
    <td className="then">
      <Quiet text={words.notYetPart} />
    </td>
  );
}

function MemberNow({
  member,
  incident,
  when,
  isCompared,
}: {
  member: CopiedMember;
  incident: IncidentPresent;
  when: When;
  isCompared: boolean;
}) {
  const known = incident.open.get(member.id);
  if (known === undefined) return <EndingCell member={member} kind="now" when={when} />;
  if (known.shown !== null) return <NowCell endpoint={known.shown} isCompared={isCompared} />;
  return (
    <td className="now">
      <VerdictBadge word={known.verdict} isFrozen /> <Quiet text={words.notListed} />
    </td>
  );
}

/** How a member's trouble ended, and when. */
function EndingCell({
  member: { endedMs, ending },
  kind,
  when: { nowMs, timeZone },
}: {
  member: CopiedMember;
  kind: "then" | "now";
  when: When;
}) {
  return (
    <td className={kind}>
      {endedMs === null || ending === null ? (
        <Quiet text={words.notKnown} />
      ) : (
        <TimeText
          ms={endedMs}
          text={words.over(datedMoment(endedMs, nowMs, timeZone), MEMBER_ENDING[ending])}
          timeZone={timeZone}
        />
      )}
    </td>
  );
}
