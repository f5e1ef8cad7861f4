import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import { isRecord } from "@/lib/client/snapshot";
import type { ChannelChange, ChannelRequest } from "@/lib/client/queries/channels";
import type { Channel } from "@/lib/contracts/delivery";
import { CHANNEL_KINDS, type ChannelKind } from "@/lib/domain/delivery/channel";

/** One setting of a channel. A secret is never shown again. */
export type ChannelField = { key: string; isSecret: boolean; isOptional: boolean };

const shown = (key: string): ChannelField => ({ key, isSecret: false, isOptional: false });
const secret = (key: string): ChannelField => ({ key, isSecret: true, isOptional: false });

export const CHANNEL_FIELDS: Readonly<Record<ChannelKind, readonly ChannelField[]>> = {
  slack_app: [secret("token"), shown("channel"), { ...secret("app_token"), isOptional: true }],
  slack_webhook: [secret("url")],
  teams: [secret("url")],
  email: [shown("to")],
  webhook: [secret("url"), { ...secret("secret"), isOptional: true }],
};

/** Content of the form, including secrets. */
export type ChannelDraft = {
  kind: ChannelKind;
  name: string;
  settings: Record<string, string>;
  /** IANA name; null: the zone of reports. */
  timeZone: string | null;
  /** Whether the current app-level token of a Slack app is removed. */
  isAppTokenRemoved: boolean;
};

export const NEW_CHANNEL: ChannelDraft = {
  kind: "slack_webhook",
  name: "",
  settings: {},
  timeZone: null,
  isAppTokenRemoved: false,
};

/** Draft of an existing channel. Secrets are empty, which leaves them unchanged. */
export function draftOf({ kind, name, settings, time_zone: timeZone }: Channel): ChannelDraft {
  const open = CHANNEL_FIELDS[kind].flatMap(({ key, isSecret }) =>
    isSecret ? [] : [[key, settings[key] ?? ""]],
  );
  return { kind, name, settings: Object.fromEntries(open), timeZone, isAppTokenRemoved: false };
}

/** Request for a new channel, without empty settings. */
export function requestOf({ kind, name, settings, timeZone }: ChannelDraft): ChannelRequest {
  const given = CHANNEL_FIELDS[kind].flatMap((field) => {
    const value = typed(settings, field);
    return value === "" ? [] : [[field.key, value]];
  });
  return {
    kind,
    name: name.trim(),
    settings: Object.fromEntries(given),
    time_zone: timeZone,
  };
}

/** Request with the members that differ from the channel. */
export function changeOf(draft: ChannelDraft, channel: Channel): ChannelChange {
  const before = draftOf(channel);
  const name = draft.name.trim();
  const changed = CHANNEL_FIELDS[channel.kind]
    .map((field) => [field.key, typed(draft.settings, field)] as const)
    .filter(([key, value]) => value !== (before.settings[key] ?? ""));
  const settings: Record<string, string | null> = Object.fromEntries(changed);
  if (draft.isAppTokenRemoved) settings["app_token"] = null;
  return {
    ...(name === channel.name ? {} : { name }),
    ...(draft.timeZone === channel.time_zone ? {} : { time_zone: draft.timeZone }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}

const typed = (settings: ChannelDraft["settings"], { key }: ChannelField) =>
  (settings[key] ?? "").trim();

export const CHANNELS_DIALOG = "channels";

/** A dialog of this page, stored during a redirect to the identity provider; `channel`: an id, null for a new one. */
export type KeptChannels =
  | { dialog: "form"; channel: string | null; draft: ChannelDraft }
  | { dialog: "remove" | "test"; channel: string };

/** The dialog's state to restore, without secrets: they have to be typed again. */
export function keptChannels(state: KeptChannels): ResumableDialog {
  if (state.dialog !== "form") return { kind: CHANNELS_DIALOG, state };
  return { kind: CHANNELS_DIALOG, state: { ...state, draft: withoutSecrets(state.draft) } };
}

/** A draft as it may be stored in this browser. */
export function withoutSecrets(draft: ChannelDraft): ChannelDraft {
  const open = CHANNEL_FIELDS[draft.kind].flatMap((field) =>
    field.isSecret ? [] : [[field.key, typed(draft.settings, field)]],
  );
  return { ...draft, settings: Object.fromEntries(open) };
}

/** @param state stored in this browser, maybe by another version of the page */
export function isKeptChannels(state: unknown): state is KeptChannels {
  if (!isRecord(state)) return false;
  const { dialog, channel, draft } = state;
  if (dialog === "remove" || dialog === "test") return typeof channel === "string";
  return (
    dialog === "form" &&
    (channel === null || typeof channel === "string") &&
    isRecord(draft) &&
    isChannelDraft(draft)
  );
}

/** @param draft stored in this browser, maybe by another version of the page */
export function isChannelDraft(draft: Record<string, unknown>): boolean {
  return (
    typeof draft["name"] === "string" &&
    typeof draft["isAppTokenRemoved"] === "boolean" &&
    CHANNEL_KINDS.some((kind) => kind === draft["kind"]) &&
    (draft["timeZone"] === null || typeof draft["timeZone"] === "string") &&
    isRecord(draft["settings"]) &&
    Object.values(draft["settings"]).every((value) => typeof value === "string")
  );
}
