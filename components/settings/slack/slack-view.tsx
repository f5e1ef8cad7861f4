"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Suspense, useState, type ReactNode } from "react";
import { Crumbs } from "@/components/resource/crumbs";
import { ResourcePage } from "@/components/resource/resource-page";
import { refusedFor, type Refused } from "@/components/session/refused";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import {
  changeOf,
  draftOf,
  requestOf,
  withoutSecrets,
  type ChannelDraft,
} from "@/components/settings/channels/draft";
import { notSaved } from "@/components/settings/channels/problems";
import { CHANNELS, listWords } from "@/components/settings/channels/words";
import { NEW_RULE } from "@/components/settings/rules/draft";
import { refusal as ruleRefusal } from "@/components/settings/rules/words";
import { CopyButton } from "@/components/ui/copy-button";
import { lazyPart } from "@/components/ui/lazy-part";
import { statusOf } from "@/lib/client/api";
import { newKey } from "@/lib/client/change";
import {
  changeChannel,
  channelsQuery,
  putChannel,
  testChannel,
  type TestResult,
} from "@/lib/client/queries/channels";
import { putRule, type RuleRequest } from "@/lib/client/queries/rules";
import { useAddress } from "@/lib/client/address/use-address";
import { ChannelForm } from "./channel-form";
import { isKeptSlack, keptSlack, keyParam, named, NEW_SLACK, SLACK_PAGE } from "./slack-draft";
import { slackManifest } from "./slack-manifest";
import * as words from "./words";

const RuleForm = lazyPart(() => import("@/components/settings/rules/rule-form"));

/**
 * The ids of the channel and of its first rule, chosen before they're sent; null: not yet. A request that is sent again
 * after a reload or a lost response adds no second one.
 */
const slackParams = { channel: keyParam, rule: keyParam };

/**
 * Adds Slack in three steps: the app, a channel with a test, and the first rule.
 * @param host of this installation, as people reach it
 * @param partners current names
 */
export function SlackView({
  host,
  companies,
  partners,
}: {
  host: string;
  companies: readonly { slug: string; name: string }[];
  partners: readonly string[];
}) {
  const client = useQueryClient();
  const router = useRouter();
  const [{ channel: id, rule: ruleId }, setState] = useAddress(slackParams);
  const { data: channels = null, isError } = useQuery(channelsQuery);
  const channel = channels?.find((one) => one.id === id && one.kind === "slack_app") ?? null;
  /** What was typed; null: nothing yet. */
  const [typed, setTyped] = useState<ChannelDraft | null>(null);
  const [rule, setRule] = useState<RuleRequest | null>(null);
  const [result, setResult] = useState<TestResult | null>(null);
  useResumableDialog(SLACK_PAGE, isKeptSlack, (kept) => {
    setTyped(kept.draft);
    setRule(kept.rule);
  });
  const draft = typed ?? (channel === null ? NEW_SLACK : draftOf(channel));
  const isTested =
    channel !== null &&
    (result === null ? channel.state === "working" : result.outcome === "accepted");

  const connect = async (): Promise<Refused | null> => {
    setResult(null);
    try {
      const whole = named(draft);
      const to = channel?.id ?? id ?? newKey();
      if (channel === null) {
        setState({ channel: to });
        await putChannel(client, to, requestOf(whole));
      } else {
        const change = changeOf(whole, channel);
        if (Object.keys(change).length > 0) await changeChannel(client, channel.id, change);
      }
      // The tokens are stored now; sent again, they would count as changed.
      setTyped(withoutSecrets(whole));
      setResult(await testChannel(client, to));
      return null;
    } catch (error) {
      return refusedFor(error, notSaved);
    }
  };
  const save = async (request: RuleRequest): Promise<Refused | null> => {
    try {
      const key = ruleId ?? newKey();
      setState({ rule: key });
      await putRule(client, key, request);
      // Back from there would come to this rule's id, and the next rule would replace it.
      router.replace("/settings/rules");
      return null;
    } catch (error) {
      return refusedFor(error, (failed) => ruleRefusal(statusOf(failed)));
    }
  };

  const manifest = slackManifest(host);
  return (
    <ResourcePage
      above={
        <Crumbs
          label={words.CRUMBS}
          up={{ href: "/settings/channels", label: CHANNELS }}
          here={words.TITLE}
        />
      }
      title={words.TITLE}
      subline={words.SUBLINE}
    >
      <ol className="pb-10">
        <Step number={1} title={words.appStep.title}>
          <p className="mb-2 max-w-[560px] text-ink-2">
            <a
              className="text-ink underline underline-offset-3"
              href="https://api.slack.com/apps?new_app=1"
              target="_blank"
              rel="noreferrer"
            >
              {words.appStep.link}
            </a>
            {". "}
            {words.appStep.sentence}
          </p>
          <CopyButton look={channel === null ? "primary" : "plain"} text={() => manifest}>
            {words.appStep.copy}
          </CopyButton>
          <details className="mt-2 text-xs text-ink-2">
            <summary className="cursor-pointer">{words.appStep.show}</summary>
            <pre className="mt-2 max-w-[560px] border border-line bg-sunken p-3 font-mono whitespace-pre-wrap wrap-anywhere">
              {manifest}
            </pre>
          </details>
        </Step>
        <Step number={2} title={words.channelStep.title}>
          {isError && channels === null ? (
            <p role="alert" className="mb-2 text-xs text-failing-text">
              {listWords.notLoaded.title}. {listWords.notLoaded.sentence}
            </p>
          ) : null}
          <ChannelForm
            draft={draft}
            isNew={channel === null}
            isLoaded={channels !== null}
            result={result}
            onChange={setTyped}
            onSend={connect}
            kept={() => keptSlack({ draft, rule: null })}
          />
        </Step>
        <Step number={3} title={words.ruleStep.title} isWaiting={!isTested}>
          <p className="mb-2 max-w-[560px] text-ink-2">
            {isTested ? words.ruleStep.sentence : words.ruleStep.waits}
          </p>
          {isTested ? (
            <Suspense>
              <RuleForm
                key={rule === null ? "" : "kept"}
                first={
                  rule ?? {
                    ...NEW_RULE,
                    name: words.firstRuleName(channel.name),
                    channels: [channel.id],
                  }
                }
                words={words.ruleStep}
                companies={companies}
                partners={partners}
                channels={channels}
                onSave={save}
                onDelete={null}
                onCancel={() => router.push("/settings/channels")}
                kept={(request) => keptSlack({ draft, rule: request })}
              />
            </Suspense>
          ) : null}
        </Step>
      </ol>
    </ResourcePage>
  );
}

function Step({
  number,
  title,
  isWaiting = false,
  children,
}: {
  number: number;
  title: string;
  isWaiting?: boolean;
  children: ReactNode;
}) {
  return (
    <li className="border-t border-line-strong py-4">
      <h2 className={`pb-2 font-strong ${isWaiting ? "text-ink-3" : ""}`}>
        {number}. {title}
      </h2>
      {children}
    </li>
  );
}
