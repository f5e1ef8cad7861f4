import { isKeptRule } from "@/components/settings/rules/draft";
import {
  isChannelDraft,
  NEW_CHANNEL,
  withoutSecrets,
  type ChannelDraft,
} from "@/components/settings/channels/draft";
import type { Param } from "@/lib/client/address/address-params";
import type { RuleRequest } from "@/lib/client/queries/rules";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import { isRecord } from "@/lib/client/snapshot";

export const NEW_SLACK: ChannelDraft = { ...NEW_CHANNEL, kind: "slack_app" };

/** A setting that is missing, or isn't what Slack calls by that name. */
export type SlackLack = "token" | "app_token" | "channel";

/** @param isNew whether the channel has no tokens yet; an empty one keeps the current one */
export function lacksOf({ settings }: ChannelDraft, isNew: boolean): SlackLack[] {
  const typed = (key: SlackLack) => (settings[key] ?? "").trim();
  const [token, appToken] = [typed("token"), typed("app_token")];
  const lacks: SlackLack[] = [];
  if (token === "" ? isNew : !/^xox[a-z]-/.test(token)) lacks.push("token");
  if (appToken !== "" && !appToken.startsWith("xapp-")) lacks.push("app_token");
  if (typed("channel") === "") lacks.push("channel");
  return lacks;
}

/** The draft with a name: its own, else the Slack channel. */
export function named(draft: ChannelDraft): ChannelDraft {
  const name = draft.name.trim();
  return name === "" ? { ...draft, name: (draft.settings["channel"] ?? "").trim() } : draft;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** A UUID. */
export const keyParam: Param<string> = {
  parse: (text) => (UUID.test(text) ? text : null),
  format: String,
  absent: null,
};

export const SLACK_PAGE = "slack";

/** What was entered, stored during a redirect to the identity provider; `rule`: null before that step. */
export type KeptSlack = { draft: ChannelDraft; rule: RuleRequest | null };

/** Without the tokens: they have to be typed again. */
export function keptSlack({ draft, rule }: KeptSlack): ResumableDialog {
  return { kind: SLACK_PAGE, state: { draft: withoutSecrets(draft), rule } };
}

/** @param state stored in this browser, maybe by another version of the page */
export function isKeptSlack(state: unknown): state is KeptSlack {
  if (!isRecord(state)) return false;
  const { draft, rule } = state;
  return (
    isRecord(draft) &&
    draft["kind"] === "slack_app" &&
    isChannelDraft(draft) &&
    (rule === null || isKeptRule({ draft: rule }))
  );
}
