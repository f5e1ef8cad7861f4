import type { ProofWords } from "@/components/session/proof";
import type { Channel, Delivery } from "@/lib/contracts/delivery";
import type { ChannelKind } from "@/lib/domain/delivery/channel";
import type { TestResult } from "@/lib/client/queries/channels";
import { count, counted } from "@/lib/domain/words/format";

export const CHANNELS = "Channels";
export const ADD_SLACK = "Add Slack";
export const ADD = "Add a channel";

export const noAccess = {
  title: "You can’t manage channels",
  sentence: "Only administrators can. Your own alerts are under My alerts.",
};

/** "6 channels, 1 down" */
export function headline(channels: readonly Channel[]): string {
  const dead = channels.filter(({ state }) => state === "dead").length;
  const all = channels.length === 0 ? "No channels" : counted(channels.length, "channel");
  return dead === 0 ? all : `${all}, ${count(dead)} down`;
}

/** "3 working, 1 failing, 1 not used yet"; empty for none. */
export function subline(channels: readonly Channel[]): string {
  return (["working", "failing", "untested"] as const)
    .map((state) => [channels.filter((one) => one.state === state).length, state] as const)
    .filter(([amount]) => amount > 0)
    .map(([amount, state]) => `${count(amount)} ${STATE_COUNTED[state]}`)
    .join(", ");
}
const STATE_COUNTED = { working: "working", failing: "failing", untested: "not used yet" };

export const listHead = {
  name: "Channel",
  to: "Sends to",
  state: "State",
  last: "Last attempt",
  missed: "Unsent",
  rules: "Used by",
  actions: "Actions",
};

export const KIND_LABEL: Readonly<Record<ChannelKind, string>> = {
  slack_app: "Slack app",
  slack_webhook: "Slack webhook",
  teams: "Microsoft Teams",
  email: "Email",
  webhook: "Signed webhook",
};

export const STATE_LABEL: Readonly<Record<Channel["state"], string>> = {
  untested: "Not used yet",
  working: "Working",
  failing: "Failing",
  dead: "Down",
};
/** @param when a time: "14:02" */
export const failingSince = (when: string) => `Nothing delivered since ${when}.`;
/** The connection over which Slack reports presses and links. */
export const socketText = ({ connected, said }: NonNullable<Channel["socket"]>) =>
  connected ? "Button and link previews: connected." : `Button and link previews: ${said}`;
/** @param when a time: "14:02" */
export const socketSeen = (when: string) => `Last checked ${when}.`;
export const NEVER = "none yet";
export const NO_RULE = "no rule";
export const moreRules = (more: number) => `and ${counted(more, "more rule")}`;

export const actions = {
  test: "Send a test",
  edit: "Edit",
  remove: "Remove",
};
export const TESTING = "Sending…";

const OUTCOME: Readonly<Record<TestResult["outcome"], string>> = {
  accepted: "Test accepted.",
  failed: "Test failed.",
  unknown: "No response. The test may have arrived.",
};
export const testText = ({ outcome, said }: TestResult) => `${OUTCOME[outcome]} ${said}`.trim();

export const formDialog = {
  title: "Add a channel",
  titleOf: (name: string) => `Edit ${name}`,
  kind: "Kind",
  name: "Name",
  timeZone: "Time zone of its messages",
  add: "Add channel",
  save: "Save",
  cancel: "Cancel",
  keepEmpty: "Leave empty to keep the current one",
  removeAppToken: "Remove the app-level token, and with it the button and link previews",
  lacks: "Fill in every field.",
  noMail: "Email isn’t set up in Plumbline, so nothing can be sent to this channel yet.",
  encrypted: "Tokens, addresses and secrets are encrypted and never shown again.",
};

type FieldWords = { label: string; example: string; hint?: string };
const url = (example: string, hint: string): FieldWords => ({ label: "Address", example, hint });

/** Labels of the fields of each kind. */
export const FIELD_WORDS: Readonly<Record<ChannelKind, Readonly<Record<string, FieldWords>>>> = {
  slack_app: {
    token: {
      label: "Bot token",
      example: "xoxb-…",
      hint: "From your Slack app, under OAuth & Permissions.",
    },
    channel: {
      label: "Slack channel",
      example: "C04N7T2",
      hint: "Find the ID under the channel’s details, and invite the app to the channel.",
    },
    app_token: {
      label: "App-level token (optional)",
      example: "xapp-…",
      hint: "With the scope connections:write. Adds the “I’m on it” button, and previews of links to Plumbline.",
    },
  },
  slack_webhook: {
    url: url("https://hooks.slack.com/services/…", "Compatible services work too."),
  },
  teams: {
    url: url("https://…", "From the Teams workflow “When a webhook request is received”."),
  },
  email: { to: { label: "To", example: "cs@example.com, oncall@example.com" } },
  webhook: {
    url: url("https://…", "Messages are signed per the Standard Webhooks spec."),
    secret: {
      label: "Signing secret (optional)",
      example: "whsec_…",
      hint: "Leave empty to generate one.",
    },
  },
};

export const secretDialog = {
  title: (name: string) => `${name} was added`,
  sentence: "Check messages with this secret. You won’t see it again.",
  label: "Signing secret",
  copy: "Copy secret",
  stored: "I’ve stored the secret",
  close: "Done",
};

/** @param rules those that send to it, and whether to other channels as well; null: not loaded */
export const removeDialog = (
  name: string,
  rules: readonly { name: string; isElsewhere: boolean }[] | null,
) => ({
  title: `Remove ${name}?`,
  children: `Messages waiting for it won’t be sent${rules === null ? ", and rules stop sending to it." : `. ${losersText(rules)}`}`,
  keep: "Keep channel",
  act: "Remove channel",
});

/** "The rules “A” and “B” stop sending to it; “B” then sends nowhere." */
function losersText(rules: readonly { name: string; isElsewhere: boolean }[]): string {
  if (rules.length === 0) return "No rule sends to it.";
  const nowhere = rules.filter(({ isElsewhere }) => !isElsewhere);
  const lead =
    rules.length === 1
      ? `The rule ${quoted(rules)} stops sending to it`
      : `The rules ${quoted(rules)} stop sending to it`;
  if (nowhere.length === 0)
    return `${lead}, but still ${rules.length === 1 ? "sends" : "send"} elsewhere.`;
  if (nowhere.length < rules.length)
    return `${lead}; ${quoted(nowhere)} then ${nowhere.length === 1 ? "sends" : "send"} nowhere.`;
  return `${lead}, and then ${rules.length === 1 ? "sends" : "send"} nowhere.`;
}

const quoted = (rules: readonly { name: string }[]) =>
  new Intl.ListFormat("en").format(rules.map(({ name }) => `“\u2068${name}\u2069”`));

export const proofWords: Readonly<Record<"add" | "edit" | "remove" | "test", ProofWords>> = {
  add: { act: "add a channel", untouched: "Nothing has been added yet." },
  edit: { act: "edit a channel", untouched: "Nothing has been changed yet." },
  remove: { act: "remove a channel", untouched: "Nothing has been removed yet." },
  test: { act: "send a test", untouched: "Nothing has been sent yet." },
};

export const note =
  "Tokens and addresses are encrypted and never shown again. To change one, enter a new one.";

export const listWords = {
  none: {
    title: "No channels yet",
    sentence: "Add somewhere to send incidents, then create a rule for which ones.",
  },
  notLoaded: { title: "Couldn’t load the channels", sentence: "Retrying automatically." },
};

/** What is wrong with a field, by its name. */
export const FIELD_PROBLEM: ReadonlyMap<string, string> = new Map([
  ["name", "The name is too long."],
  ["time_zone", "Choose a time zone."],
  ["settings.url", "Enter a full address, such as https://example.com/hook."],
  [
    "settings.secret",
    "A signing secret is whsec_ and 32 to 88 characters of base64. Leave it empty to generate one.",
  ],
  ["settings.to", "Enter up to 50 email addresses, separated by commas."],
  ["settings.token", "A bot token starts with xoxb-."],
  ["settings.app_token", "An app-level token starts with xapp-."],
  ["settings.channel", "Enter the name or the ID of a Slack channel."],
]);
export const WITH_CREDENTIALS = "The address can’t contain a user name or a password.";
export const OUT_OF_REACH =
  "The address must be public and https. Use another, or have this one added to ALLOWED_TARGETS.";

/** Why a request failed. @param status HTTP status; 0: no response */
export function refusal(status: number): string {
  if (status === 0) return "Plumbline isn’t responding. Your request may have gone through.";
  if (status === 400) return "Something here isn’t valid.";
  if (status === 403) return "Your role doesn’t allow this.";
  if (status === 404) return "This channel is no longer there.";
  if (status === 409) return "There are too many channels. Remove one first.";
  if (status === 429) return "Too many attempts. Try again in a minute.";
  return "Couldn’t save this. Try again.";
}

// Deliveries.

export const deliveryWords = {
  title: "Deliveries",
  note: "Retried for 24 h and sent in order",
  problems: "Failed, or outcome unknown",
  /** "2 unknown, 12 failed" */
  problemCounts: ({ unknown, failed }: { unknown: number; failed: number }) =>
    [
      ...(unknown === 0 ? [] : [`${count(unknown)} unknown`]),
      ...(failed === 0 ? [] : [`${count(failed)} failed`]),
    ].join(", "),
  none: "Nothing has been sent yet. Messages from your rules appear here.",
  toRules: "Rules",
  notLoaded: "Couldn’t load the deliveries. Retrying automatically.",
  due: "Due",
  message: "Message",
  to: "To",
  state: "State",
  attempts: (attempts: number) => counted(attempts, "attempt"),
  /** @param when a time: "14:02" */
  next: (when: string) => `next attempt ${when}`,
};
export const DELIVERY_STATE: Readonly<Record<Delivery["state"], string>> = {
  queued: "Waiting",
  unknown: "Outcome unknown",
  sent: "Sent",
  failed: "Failed",
};
export const TO_KIND: Readonly<Record<Delivery["to_kind"], string>> = {
  channel: "Channel",
  inbox: "Inbox",
  mail: "Email",
};
export const pageWords = {
  label: "Pages of the deliveries",
  back: "Previous",
  on: "Next",
  place: (page: number, pages: number, total: number) =>
    `Page ${count(page)} of ${count(pages)}, ${count(total)} messages`,
};
