import type { TestResult } from "@/lib/client/queries/channels";
import type { ProofWords } from "@/components/session/proof";
import { testText } from "@/components/settings/channels/words";
import type { SlackLack } from "./slack-draft";

/** Texts of the page that adds a channel of a Slack app, and its first rule. */

export const TITLE = "Add Slack";
export const CRUMBS = "Breadcrumb";
export const SUBLINE =
  "Plumbline keeps one message per incident up to date, and people can acknowledge it from Slack.";

export const appStep = {
  title: "Create the app",
  link: "Open Slack’s apps",
  sentence: "Choose Create New App, then From a manifest, and paste the manifest.",
  copy: "Copy manifest",
  show: "Show the manifest",
};

export const channelStep = {
  title: "Connect a channel",
  token: {
    label: "Bot token",
    example: "xoxb-…",
    hint: "Install the app to your workspace. The token is then under OAuth & Permissions.",
  },
  appToken: {
    label: "App-level token (optional)",
    example: "xapp-…",
    hint: "Create one under Basic Information, with the scope connections:write. It adds the “I’m on it” button and link previews.",
  },
  channel: {
    label: "Slack channel",
    example: "C04N7T2",
    hint: "Find the ID under the channel’s details. Invite the app: type /invite @Plumbline in the channel.",
  },
  name: { label: "Name in Plumbline (optional)", example: "#sync-alerts" },
  kept: "Leave empty to keep the current one",
  save: "Save and send a test",
  saveAgain: "Save and test again",
  saving: "Sending a test…",
  note: "Tokens are encrypted and never shown again.",
  inList: "The channel is saved. Correct what’s wrong here, then test again.",
};

export const LACK_TEXT: Readonly<Record<SlackLack, string>> = {
  token: "Enter the bot token. It begins with xoxb-.",
  app_token: "An app-level token begins with xapp-.",
  channel: "Enter the Slack channel.",
};

/** What to do about errors of Slack, by its code. */
const HELP: Readonly<Record<string, string>> = {
  invalid_auth: "Check the bot token.",
  account_inactive: "The app was removed from the workspace. Install it again.",
  token_revoked: "Install the app again, and enter its new bot token.",
  not_in_channel: "Invite the app: type /invite @Plumbline in the channel.",
  channel_not_found:
    "Check the channel’s ID. A private channel is found only once the app is invited.",
  is_archived: "The channel is archived. Choose another one.",
  missing_scope: "Install the app again, so that it gets the scopes of the manifest.",
};

/** The outcome of a test, and what to do if it failed. */
export function outcomeText(result: TestResult): string {
  const code = /Slack answered: ([a-z_]+)\.$/.exec(result.said)?.[1] ?? "";
  return [testText(result), HELP[code] ?? ""].filter((text) => text !== "").join(" ");
}

export const ruleStep = {
  title: "Create the first rule",
  sentence: "Nothing is sent to the channel until a rule says what.",
  waits: "Available once a test has arrived.",
  save: "Create rule",
  cancel: "Not now",
  delete: "",
};

/** @param channel its name */
export const firstRuleName = (channel: string) => `To ${channel}`;

/** @param isNew whether no channel is saved yet */
export const proofWords = (isNew: boolean): ProofWords =>
  isNew
    ? { act: "add Slack", untouched: "Nothing has been saved yet." }
    : { act: "save and test the channel again", untouched: "No new test has been sent yet." };
