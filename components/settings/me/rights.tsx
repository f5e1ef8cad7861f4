"use client";

import { DataTable } from "@/components/resource/data-table";
import { Empty } from "@/components/ui/empty";
import { useZone } from "@/components/shell/time/zone";
import type { Because, MyGrant } from "@/lib/contracts/me";
import { instantMs } from "@/lib/domain/time/instant";
import { dayMonthYear } from "@/lib/domain/words/dates";
import { ROLE_LABEL, ROLE_SAYS } from "@/lib/domain/words/role-words";
import { grantLines } from "./grant-lines";
import { givenText, noRights, rightsWords as words, ruleWords } from "./words";

/** More names in a line are shown as a number. */
const MAX_NAMED = 3;

/** A person's roles by company, with reason and meaning. */
export function Rights({
  grants,
  companies,
}: {
  grants: readonly MyGrant[];
  companies: readonly { slug: string; name: string }[];
}) {
  const names = new Map(companies.map(({ slug, name }) => [slug, name]));
  const namesOf = (slugs: readonly string[]) => slugs.map((slug) => names.get(slug) ?? slug);
  const lines = grantLines(grants);
  return (
    <div className="panel border-t-0 pb-0">
      <header>
        <h2>{words.title}</h2>
        {lines.some(({ because }) => because.by === "rule") ? <p>{words.note}</p> : null}
      </header>
      {lines.length === 0 ? (
        <Empty title={noRights.title}>{noRights.sentence}</Empty>
      ) : (
        <DataTable
          label={words.title}
          rowHeight="one-line"
          className="min-w-0!"
          rows={lines}
          keyOf={(line) => lines.indexOf(line)}
          columns={[
            {
              title: words.role,
              width: "w-[150px]",
              phone: "1 whole",
              isHeader: true,
              cell: ({ role }) => ROLE_LABEL[role],
            },
            {
              title: words.companies,
              width: "w-[270px]",
              phone: "2 whole",
              cell: ({ companies: slugs }) =>
                slugs === null ? (
                  words.all
                ) : (
                  <span title={namesOf(slugs).join(", ")}>{listed(namesOf(slugs))}</span>
                ),
            },
            {
              title: words.because,
              phone: "3 whole",
              cell: ({ because }) => <Reason because={because} />,
            },
            {
              title: words.meaning,
              width: "w-[34%]",
              phone: "none",
              className: "is-quiet",
              cell: ({ role }) => ROLE_SAYS[role],
            },
          ]}
        />
      )}
    </div>
  );
}

function listed(names: readonly string[]): string {
  if (names.length <= MAX_NAMED) return names.join(", ");
  return [...names.slice(0, MAX_NAMED - 1), words.more(names.length - MAX_NAMED + 1)].join(", ");
}

function Reason({ because }: { because: Because }) {
  const timeZone = useZone();
  if (because.by === "hand") {
    const day = dayMonthYear(instantMs(because.at) ?? Number.NaN, timeZone);
    return <bdi>{givenText(because.person, day)}</bdi>;
  }
  const { rule, claim, value } = because;
  return (
    <>
      {ruleWords.lead(rule)} <code className="font-mono text-xs">{claim}</code> {ruleWords.is}{" "}
      <code className="font-mono text-xs">{value}</code>
    </>
  );
}
