"use client";

import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { DataTable, type Column } from "@/components/resource/data-table";
import { ResourceList, ResourcePage } from "@/components/resource/resource-page";
import { RowActions } from "@/components/resource/row-actions";
import { useResource } from "@/components/resource/use-resource";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { lazyPart } from "@/components/ui/lazy-part";
import { statusOf } from "@/lib/client/api";
import { channelsQuery } from "@/lib/client/queries/channels";
import {
  changeRule,
  makeRule,
  removeRule,
  rulesQuery,
  type RuleRequest,
} from "@/lib/client/queries/rules";
import { useAddress } from "@/lib/client/address/use-address";
import type { Channel, RuleView } from "@/lib/contracts/delivery";
import { NEW_RULE, RULES_DIALOG, draftOf, isKeptRule } from "./draft";
import { RuleEditor } from "./rule-editor";
import { NEW, rulesParams } from "./rules-url";
import * as words from "./words";

const LoadList = lazyPart(() => import("./load-list"), null);

type Companies = readonly { slug: string; name: string }[];

/** Message rules: the list, or the editor of one rule. */
export function RulesView({
  companies,
  partners,
}: {
  companies: Companies;
  partners: readonly string[];
}) {
  const [{ rule: opened }, setState] = useAddress(rulesParams, "push");
  const { client, data, isError, attempt } = useResource(
    rulesQuery,
    (error) => words.refusal(statusOf(error)),
    null,
  );
  const { data: channels = null } = useQuery(channelsQuery);
  const [kept, setKept] = useState<{ rule: string | null; draft: RuleRequest } | null>(null);
  useResumableDialog(RULES_DIALOG, isKeptRule, ({ draft }) => setKept({ rule: opened, draft }));
  const toList = () => {
    setKept(null);
    setState({ rule: null });
  };

  if (data !== undefined && opened !== null) {
    const rule = data.find(({ id }) => id === opened);
    if (rule === undefined && opened !== NEW) {
      return (
        <Empty
          title={words.noRule.title}
          heading="h1"
          action={<Button onClick={toList}>{words.noRule.back}</Button>}
        >
          {words.noRule.sentence}
        </Empty>
      );
    }
    const written = kept?.rule === opened ? kept.draft : null;
    const andLeave = (change: Promise<unknown>) =>
      attempt(async () => {
        await change;
        toList();
      });
    return (
      <RuleEditor
        // A restored draft replaces the current one.
        key={`${opened} ${written === null ? "" : "kept"}`}
        first={written ?? (rule === undefined ? NEW_RULE : draftOf(rule))}
        companies={companies}
        partners={partners}
        channels={channels}
        onSave={(request) =>
          andLeave(
            rule === undefined ? makeRule(client, request) : changeRule(client, rule.id, request),
          )
        }
        onDelete={rule === undefined ? null : () => andLeave(removeRule(client, rule.id))}
        onCancel={toList}
      />
    );
  }
  const add = (
    <Button look="primary" onClick={() => setState({ rule: NEW })}>
      {words.ADD}
    </Button>
  );
  return (
    <ResourcePage
      title={data === undefined ? words.RULES : words.headline(data.length)}
      subline={words.SUBLINE}
      // An empty list has it below its sentence.
      actions={data?.length === 0 ? undefined : add}
    >
      <ResourceList
        data={data}
        isError={isError}
        amountOf={(rules) => rules.length}
        words={words.listWords}
        next={add}
      >
        {(rules) => (
          <DataTable
            label={words.RULES}
            rows={rules}
            keyOf={({ id }) => id}
            columns={[
              ...columnsOf(companies, channels),
              {
                title: words.listHead.actions,
                width: "w-[70px]",
                phone: "1 end",
                isActions: true,
                cell: ({ id, name }) => (
                  <RowActions
                    name={name}
                    actions={["edit"]}
                    words={words.actions}
                    onAct={() => setState({ rule: id })}
                  />
                ),
              },
            ]}
          />
        )}
      </ResourceList>
      <Suspense>
        <LoadList nameOf={words.nameIn(companies)} />
      </Suspense>
    </ResourcePage>
  );
}

const { listHead } = words;

/** Columns of the rule list. @param channels null: not loaded */
function columnsOf(
  companies: Companies,
  channels: readonly Channel[] | null,
): readonly Column<RuleView>[] {
  const nameOf = words.nameIn(companies);
  return [
    {
      title: listHead.name,
      width: "w-[22%]",
      phone: "1 start",
      isHeader: true,
      cell: ({ name }) => <bdi>{name}</bdi>,
    },
    {
      title: listHead.about,
      width: "w-[22%]",
      phone: "2 whole",
      cell: ({ companies: slugs, partners }) => {
        const names = slugs === "all" ? slugs : slugs.map(nameOf);
        return (
          <>
            <bdi>{words.namesText(names, words.ALL_COMPANIES)}</bdi>
            <small>
              <bdi>{words.namesText(partners, words.ALL_PARTNERS)}</bdi>
            </small>
          </>
        );
      },
    },
    { title: listHead.when, phone: "3 start", cell: words.whenText },
    {
      title: listHead.to,
      phone: "3 end quiet",
      cell: ({ channels: ids }) =>
        ids.length === 0 ? (
          <b>{words.NOWHERE}</b>
        ) : (
          <bdi>
            {channels
              ?.filter(({ id }) => ids.includes(id))
              .map(({ name }) => name)
              .join(", ")}
          </bdi>
        ),
    },
    {
      title: listHead.also,
      width: "w-[20%]",
      phone: "4 whole",
      cell: (rule) => words.alsoTexts(rule).map((text) => <small key={text}>{text}</small>),
    },
  ];
}
