"use client";

import { useZone } from "@/components/shell/time/zone";
import { ListTable } from "@/components/ui/list-table";
import { useNow } from "@/lib/client/use-now";
import type { PersonEntry } from "@/lib/contracts/people";
import type { Role } from "@/lib/domain/rights";
import { absoluteTime, ago, moment } from "@/lib/domain/words/format";
import { dayAndMonth } from "@/lib/domain/words/dates";
import { ROLE_LABEL } from "@/lib/domain/words/role-words";
import type { Sure } from "./kept";
import {
  ALL_COMPANIES,
  NO_ACCESS,
  NOW,
  acts,
  becauseText,
  listHead,
  notSeen,
  severalCompanies,
  signsInWith,
  statusWords,
} from "./words";

type Act = "edit" | Sure;
type Company = { slug: string; name: string };

/** People of a page, one row each. */
export function PeopleList({
  people,
  companies,
  onAct,
}: {
  people: readonly PersonEntry[];
  companies: readonly Company[];
  onAct: (act: Act, person: PersonEntry) => void;
}) {
  return (
    <ListTable
      label={listHead.label}
      className="settings-list people"
      columns={[
        listHead.person,
        listHead.signsIn,
        listHead.may,
        listHead.because,
        listHead.seen,
        listHead.sessions,
        listHead.status,
      ]}
      acts={listHead.acts}
    >
      {people.map((person) => (
        <Row key={person.id} person={person} companies={companies} onAct={onAct} />
      ))}
    </ListTable>
  );
}

function Row({
  person,
  companies,
  onAct,
}: {
  person: PersonEntry;
  companies: readonly Company[];
  onAct: (act: Act, person: PersonEntry) => void;
}) {
  const lines = useLines(person, companies);
  return (
    <tr className={person.status === "disabled" ? "is-off" : undefined}>
      <th scope="row" className="person-name">
        <bdi>{person.name}</bdi>
        <small>{person.email}</small>
      </th>
      <td className="person-kind">{signsInWith(person)}</td>
      <td className="person-may">
        {lines.length === 0 ? NO_ACCESS : null}
        {lines.map(({ key, role, where }) => (
          <span key={key}>
            <b>{ROLE_LABEL[role]}</b>, <bdi>{where}</bdi>
          </span>
        ))}
      </td>
      <td className="person-because">
        {lines.map(({ key, because }) => (
          <span key={key}>{because}</span>
        ))}
      </td>
      <td className="person-seen">
        <Seen person={person} />
      </td>
      <td className="person-sessions">{person.sessions > 0 ? person.sessions : null}</td>
      <td className="person-status">
        <Status person={person} />
      </td>
      <td className="person-acts">
        {actsOf(person).map((act) => (
          <button
            key={act}
            type="button"
            className="settings-act"
            aria-label={acts.of(acts[act], person.name)}
            onClick={() => onAct(act, person)}
          >
            {acts[act]}
          </button>
        ))}
      </td>
    </tr>
  );
}

function actsOf({ status, sessions }: PersonEntry): Act[] {
  if (status === "disabled") return ["enable"];
  if (status === "invited") return ["edit", "link", "cancel"];
  return sessions > 0 ? ["edit", "end"] : ["edit"];
}

type Line = { key: string; role: Role; where: string; because: string };

/** What somebody may, in as few lines as say it: by role and reason. */
function useLines({ grants }: PersonEntry, companies: readonly Company[]): Line[] {
  const timeZone = useZone();
  const found = new Map<string, { role: Role; because: string; places: (string | null)[] }>();
  for (const { role, company, because } of grants) {
    const day = because.kind === "hand" ? dayAndMonth(Date.parse(because.at), timeZone) : "";
    const words = becauseText(because, day);
    const key = `${role} ${words}`;
    const line = found.get(key) ?? { role, because: words, places: [] };
    line.places.push(company);
    found.set(key, line);
  }
  const nameOf = (slug: string) => companies.find((one) => one.slug === slug)?.name ?? slug;
  return [...found].map(([key, { role, because, places }]) => {
    const [first] = places;
    const where =
      places.length > 1 && !places.includes(null)
        ? severalCompanies(places.length)
        : first === null || first === undefined
          ? ALL_COMPANIES
          : nameOf(first);
    return { key, role, because, where };
  });
}

/** How long ago while they are here, else when. */
function Seen({ person }: { person: PersonEntry }) {
  const timeZone = useZone();
  const { last_seen_at: at, sessions } = person;
  const ms = at === null ? null : Date.parse(at);
  const words = useNow((nowMs) => {
    if (ms === null) return notSeen(person, nowMs);
    const ageMs = nowMs - ms;
    if (sessions === 0 || ageMs >= 3_600_000) return moment(ms, nowMs, timeZone);
    return ageMs < 60_000 ? NOW : ago(ageMs);
  });
  return <span title={ms === null ? undefined : absoluteTime(ms, timeZone)}>{words}</span>;
}

function Status({ person }: { person: PersonEntry }) {
  const { status, link_expires_at: linkEndsAt, disabled_at: disabledAt } = person;
  return (
    <>
      {status === "invited" ? <b>{statusWords.invited}</b> : statusWords[status]}
      {status === "invited" && linkEndsAt === null ? <small>{statusWords.noLink}</small> : null}
      {linkEndsAt === null ? null : (
        <small>
          <When at={linkEndsAt} say={statusWords.linkEnds} />
        </small>
      )}
      {disabledAt === null ? null : (
        <small>
          <When at={disabledAt} say={statusWords.since} />
        </small>
      )}
    </>
  );
}

function When({ at, say }: { at: string; say: (when: string) => string }) {
  const timeZone = useZone();
  const words = useNow((nowMs) => say(moment(Date.parse(at), nowMs, timeZone)));
  return <span title={absoluteTime(Date.parse(at), timeZone)}>{words}</span>;
}
