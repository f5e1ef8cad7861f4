"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { refusedFor, type Refused } from "@/components/session/refused";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { statusOf } from "@/lib/client/api";
import { channelsQuery } from "@/lib/client/queries/channels";
import {
  changeRule,
  makeRule,
  removeRule,
  rulesQuery,
  type RuleRequest,
} from "@/lib/client/queries/rules";
import { useAddress } from "@/lib/client/use-address";
import { NEW_RULE, RULES_DIALOG, draftOf, isKeptRule } from "./draft";
import { RuleEditor } from "./rule-editor";
import { RuleList } from "./rule-list";
import { NEW, rulesParams } from "./rules-url";
import { ADD, RULES, SUBLINE, headline, noRule, noRules, notLoaded, refusal } from "./words";
import "@/components/ui/page.css";
import "@/components/resource/resource.css";
import "./rules.css";

/** Which incidents are sent where and when: the list, or one rule as its form. */
export function RulesView({
  companies,
  partners,
}: {
  companies: readonly { slug: string; name: string }[];
  partners: readonly string[];
}) {
  const client = useQueryClient();
  const [{ rule: open }, setState] = useAddress(rulesParams, "push");
  const { data, isError } = useQuery(rulesQuery);
  const { data: channels } = useQuery(channelsQuery);
  const [kept, setKept] = useState<{ rule: string | null; draft: RuleRequest } | null>(null);
  useResumableDialog(RULES_DIALOG, isKeptRule, ({ draft }) => setKept({ rule: open, draft }));
  const toList = () => setState({ rule: null });

  if (data !== undefined && open !== null) {
    const rule = data.find(({ id }) => id === open);
    const known = channels ?? null;
    if (rule === undefined && open !== NEW) {
      return (
        <Empty
          title={noRule.title}
          heading="h1"
          action={<Button onClick={toList}>{noRule.back}</Button>}
        >
          {noRule.sentence}
        </Empty>
      );
    }
    const written = kept?.rule === open ? kept.draft : null;
    const done = () => {
      setKept(null);
      toList();
    };
    return (
      <RuleEditor
        // What came back from the provider takes the place of what is there.
        key={`${open} ${written === null ? "" : "kept"}`}
        first={written ?? (rule === undefined ? NEW_RULE : draftOf(rule))}
        companies={companies}
        partners={partners}
        channels={known}
        onSave={(request) =>
          attempt(async () => {
            await (rule === undefined
              ? makeRule(client, request)
              : changeRule(client, rule.id, request));
            done();
          })
        }
        onDelete={
          rule === undefined
            ? null
            : () =>
                attempt(async () => {
                  await removeRule(client, rule.id);
                  done();
                })
        }
        onCancel={done}
      />
    );
  }
  return (
    <>
      <header className="page-head">
        <div className="min-w-0">
          <h1 className="page-title">{data === undefined ? RULES : headline(data.length)}</h1>
          <p className="mt-0.5 text-ink-2">{SUBLINE}</p>
        </div>
        <div className="page-actions">
          <Button look="primary" onClick={() => setState({ rule: NEW })}>
            {ADD}
          </Button>
        </div>
      </header>
      {data === undefined ? (
        isError ? (
          <Empty title={notLoaded.title}>{notLoaded.sentence}</Empty>
        ) : (
          <div className="min-h-[300px]" aria-busy="true" />
        )
      ) : data.length === 0 ? (
        <Empty title={noRules.title}>{noRules.sentence}</Empty>
      ) : (
        <RuleList
          rules={data}
          channels={channels ?? null}
          companies={companies}
          onEdit={({ id }) => setState({ rule: id })}
        />
      )}
    </>
  );
}

/** Null when it was done, else why it was not. */
async function attempt(work: () => Promise<void>): Promise<Refused | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return refusedFor(error, () => refusal(statusOf(error)));
  }
}
