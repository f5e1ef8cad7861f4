"use client";

import { ListTable } from "@/components/ui/list-table";
import type { Channel, RuleView } from "@/lib/contracts/delivery";
import {
  ALL_COMPANIES,
  ALL_PARTNERS,
  RULES,
  acts,
  alsoTexts,
  listHead,
  namesText,
  whenText,
} from "./words";

/** Rules, one row each. @param channels null: they aren't known now */
export function RuleList({
  rules,
  channels,
  companies,
  onEdit,
}: {
  rules: readonly RuleView[];
  channels: readonly Channel[] | null;
  companies: readonly { slug: string; name: string }[];
  onEdit: (rule: RuleView) => void;
}) {
  const nameOf = (slug: string) => companies.find((one) => one.slug === slug)?.name ?? slug;
  return (
    <ListTable
      label={RULES}
      className="settings-list rules"
      columns={[listHead.name, listHead.about, listHead.when, listHead.to, listHead.also]}
      acts={listHead.acts}
    >
      {rules.map((rule) => {
        const { id, name, companies: slugs, partners, channels: ids } = rule;
        const to = channels?.filter((one) => ids.includes(one.id)).map((one) => one.name);
        return (
          <tr key={id}>
            <th scope="row" className="rule-name">
              <bdi>{name}</bdi>
            </th>
            <td className="rule-about">
              <bdi>{namesText(slugs === "all" ? "all" : slugs.map(nameOf), ALL_COMPANIES)}</bdi>
              <small>
                <bdi>{namesText(partners, ALL_PARTNERS)}</bdi>
              </small>
            </td>
            <td className="rule-when">{whenText(rule)}</td>
            <td className="rule-to">
              <bdi>{to?.join(", ")}</bdi>
            </td>
            <td className="rule-also">
              {alsoTexts(rule).map((text) => (
                <span key={text}>{text}</span>
              ))}
            </td>
            <td className="rule-acts">
              <button
                type="button"
                className="settings-act"
                aria-label={acts.of(acts.edit, name)}
                onClick={() => onEdit(rule)}
              >
                {acts.edit}
              </button>
            </td>
          </tr>
        );
      })}
    </ListTable>
  );
}
