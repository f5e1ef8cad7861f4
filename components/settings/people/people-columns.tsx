import type { Column } from "@/components/resource/data-table";
import { When } from "@/components/resource/when";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { PersonEntry } from "@/lib/contracts/people";
import type { Role } from "@/lib/domain/rights";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { dayAndMonth } from "@/lib/domain/words/dates";
import { absoluteTime, ago, moment } from "@/lib/domain/words/format";
import { ROLE_LABEL } from "@/lib/domain/words/role-words";
import * as words from "./words";

type Company = { slug: string; name: string };
const { listHead, statusWords } = words;

/** Columns of the people list. */
export const peopleColumns = (companies: readonly Company[]): readonly Column<PersonEntry>[] => [
  {
    title: listHead.person,
    width: "w-[17%]",
    phone: "1 start",
    isHeader: true,
    cell: ({ name, email }) => (
      <>
        <bdi>{name}</bdi>
        <small>{email}</small>
      </>
    ),
  },
  {
    title: listHead.signsIn,
    width: "w-[11%]",
    phone: "4 start small",
    cell: words.signsInWith,
  },
  {
    title: listHead.may,
    width: "w-[16%]",
    phone: "2 start",
    cell: (person) => <Access person={person} companies={companies} />,
  },
  {
    title: listHead.because,
    width: "w-[15%]",
    phone: "3 whole small",
    className: "is-quiet",
    cell: (person) => <Because person={person} />,
  },
  {
    title: listHead.seen,
    width: "w-[7%]",
    phone: "2 end quiet",
    isLabelled: ({ last_seen_at: at }) => at !== null,
    cell: (person) => <Seen person={person} />,
  },
  {
    title: listHead.sessions,
    width: "w-[7%]",
    phone: "none",
    isNumeric: true,
    cell: ({ sessions }) => (sessions > 0 ? sessions : null),
  },
  {
    title: listHead.status,
    width: "w-[12%]",
    phone: "1 end",
    className: "is-quiet",
    cell: (person) => <Status person={person} />,
  },
];

type Line = { key: string; role: Role; because: string; companies: (string | null)[] };

/** Grants, grouped by role and reason. */
function useLines({ grants }: PersonEntry): Line[] {
  const timeZone = useZone();
  const lines = new Map<string, Line>();
  for (const { role, company, because: reason } of grants) {
    const day = reason.kind === "hand" ? dayAndMonth(Date.parse(reason.at), timeZone) : "";
    const because = words.becauseText(reason, day);
    const key = `${role} ${because}`;
    const line = lines.get(key) ?? { key, role, because, companies: [] };
    line.companies.push(company);
    lines.set(key, line);
  }
  return [...lines.values()];
}

function Access({ person, companies }: { person: PersonEntry; companies: readonly Company[] }) {
  const lines = useLines(person);
  const whereOf = ({ companies: slugs }: Line) => {
    const [first = null] = slugs;
    if (first === null || slugs.includes(null)) return words.ALL_COMPANIES;
    if (slugs.length > 1) return words.severalCompanies(slugs.length);
    return companies.find(({ slug }) => slug === first)?.name ?? first;
  };
  if (lines.length === 0) return words.NO_ACCESS;
  return lines.map((line) => (
    <span key={line.key} className="block">
      <b>{ROLE_LABEL[line.role]}</b>, <bdi>{whereOf(line)}</bdi>
    </span>
  ));
}

function Because({ person }: { person: PersonEntry }) {
  return useLines(person).map(({ key, because }) => (
    <span key={key} className="block">
      {because}
    </span>
  ));
}

/** When the person was last seen. */
function Seen({ person }: { person: PersonEntry }) {
  const timeZone = useZone();
  const { last_seen_at: at, sessions } = person;
  const ms = at === null ? null : Date.parse(at);
  const text = useNow((nowMs) => {
    if (ms === null) return words.notSeen(person, nowMs);
    const ageMs = nowMs - ms;
    if (sessions === 0 || ageMs >= HOUR_MS) return moment(ms, nowMs, timeZone);
    return ageMs < MINUTE_MS ? words.NOW : ago(ageMs);
  });
  return <span title={ms === null ? undefined : absoluteTime(ms, timeZone)}>{text}</span>;
}

function Status({ person }: { person: PersonEntry }) {
  const { status, link_expires_at: linkEndsAt, disabled_at: disabledAt } = person;
  return (
    <>
      {status === "invited" ? (
        <b className="text-ink">{statusWords.invited}</b>
      ) : (
        statusWords[status]
      )}
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
