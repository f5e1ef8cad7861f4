"use client";

import { Empty } from "@/components/ui/empty";
import { useZone } from "@/components/shell/time/zone";
import type { Because, MyGrant } from "@/lib/contracts/me";
import { instantMs } from "@/lib/domain/time/instant";
import { dayMonthYear } from "@/lib/domain/words/dates";
import { ROLE_LABEL, ROLE_SAYS } from "@/lib/domain/words/role-words";
import { grantLines } from "./grant-lines";
import { givenText, noRights, rightsWords as words, ruleWords } from "./words";

/** Names that stand in a line; of more than one more their number does. */
const MOST_NAMED = 3;

/** What somebody may do where, because of what, and what that means. */
export function Rights({
  grants,
  companies,
}: {
  grants: readonly MyGrant[];
  companies: readonly { slug: string; name: string }[];
}) {
  const timeZone = useZone();
  const names = new Map(companies.map(({ slug, name }) => [slug, name]));
  const lines = grantLines(grants);
  return (
    <section className="panel is-me" aria-labelledby="rights-title">
      <header>
        <h2 id="rights-title">{words.title}</h2>
        {lines.some(({ because }) => because.by === "rule") ? <p>{words.note}</p> : null}
      </header>
      {lines.length === 0 ? (
        <Empty title={noRights.title}>{noRights.sentence}</Empty>
      ) : (
        <table className="plain-table me-rights">
          <thead>
            <tr>
              <th scope="col">{words.role}</th>
              <th scope="col">{words.companies}</th>
              <th scope="col">{words.because}</th>
              <th scope="col">{words.meaning}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ role, companies: slugs, because }, at) => (
              <tr key={at}>
                <th scope="row">{ROLE_LABEL[role]}</th>
                <td title={slugs === null ? undefined : slugs.map(nameOf).join(", ")}>
                  {slugs === null ? words.all : listed(slugs.map(nameOf))}
                </td>
                <td>
                  <Reason because={because} timeZone={timeZone} />
                </td>
                <td className="me-meaning">{ROLE_SAYS[role]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );

  function nameOf(slug: string): string {
    return names.get(slug) ?? slug;
  }
}

function listed(names: readonly string[]): string {
  if (names.length <= MOST_NAMED) return names.join(", ");
  return [...names.slice(0, MOST_NAMED - 1), words.more(names.length - MOST_NAMED + 1)].join(", ");
}

function Reason({ because, timeZone }: { because: Because; timeZone: string }) {
  if (because.by === "hand") {
    const day = dayMonthYear(instantMs(because.at) ?? Number.NaN, timeZone);
    return <bdi>{givenText(because.person, day)}</bdi>;
  }
  const { rule, claim, value } = because;
  return (
    <>
      {ruleWords.lead(rule)} <code>{claim}</code> {ruleWords.is} <code>{value}</code>
    </>
  );
}
