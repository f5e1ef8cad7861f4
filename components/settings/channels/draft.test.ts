import { describe, expect, it } from "vitest";
import type { Channel } from "@/lib/contracts/delivery";
import {
  changeOf,
  draftOf,
  isKeptChannels,
  keptChannels,
  NEW_CHANNEL,
  requestOf,
  type ChannelDraft,
} from "./draft";
import { changeSchema, newSchema } from "./schemas";

const CHANNEL: Channel = {
  id: "a",
  kind: "slack_app",
  name: "#sync-alerts",
  settings: { channel: "C04N7T2" },
  time_zone: null,
  created_at: "2026-11-20T10:00:00Z",
  state: "working",
  failing_since: null,
  said: null,
  tried_at: null,
  socket: null,
  has_app_token: true,
  missed: 0,
  waiting: 0,
};

describe("a channel draft", () => {
  it("sends only the settings of its kind", () => {
    const settings = { token: " xoxb-1 ", channel: "C1", url: "https://elsewhere.example" };
    expect(requestOf({ ...NEW_CHANNEL, kind: "slack_app", name: " Ops ", settings })).toEqual({
      kind: "slack_app",
      name: "Ops",
      settings: { token: "xoxb-1", channel: "C1" },
      time_zone: null,
    });
  });

  it("is incomplete without a name or a required setting", () => {
    const issuesOf = (draft: ChannelDraft) =>
      newSchema(draft.kind)
        .safeParse(requestOf(draft))
        .error?.issues.map(({ path }) => path.join("."));
    const settings = { url: "https://x.example" };
    expect(issuesOf({ ...NEW_CHANNEL, kind: "teams", settings })).toEqual(["name"]);
    const app = { ...NEW_CHANNEL, kind: "slack_app" } as const;
    expect(issuesOf({ ...app, name: "Ops", settings: { channel: "C1" } })).toEqual([
      "settings.token",
    ]);
    expect(issuesOf({ ...NEW_CHANNEL, kind: "teams", name: "Ops", settings })).toBe(undefined);
  });

  it("omits a webhook's secret, for the server to generate", () => {
    const settings = { url: "https://x.example", secret: "" };
    expect(requestOf({ ...NEW_CHANNEL, kind: "webhook", settings }).settings).toEqual({
      url: "https://x.example",
    });
  });

  it("sends only changed settings, and a secret only if one is typed", () => {
    const draft = draftOf(CHANNEL);
    expect(changeOf(draft, CHANNEL)).toEqual({});
    expect(changeOf({ ...draft, name: "#ops" }, CHANNEL)).toEqual({ name: "#ops" });
    expect(changeOf({ ...draft, timeZone: "Europe/Berlin" }, CHANNEL)).toEqual({
      time_zone: "Europe/Berlin",
    });
    const settings = { ...draft.settings, token: "xoxb-2" };
    expect(changeOf({ ...draft, settings }, CHANNEL)).toEqual({ settings: { token: "xoxb-2" } });
    const emptied = changeOf({ ...draft, settings: { channel: "" } }, CHANNEL);
    expect(emptied).toEqual({ settings: { channel: "" } });
    expect(changeSchema("slack_app").safeParse(emptied).success).toBe(false);
    expect(changeSchema("slack_app").safeParse({ name: "#ops" }).success).toBe(true);
  });
});

it("removes the app-level token of a Slack app where that is chosen", () => {
  const change = changeOf({ ...draftOf(CHANNEL), isAppTokenRemoved: true }, CHANNEL);
  expect(change).toEqual({ settings: { app_token: null } });
  expect(changeSchema("slack_app").safeParse(change).success).toBe(true);
});

describe("a stored draft", () => {
  const settings = { url: "https://x.example/key" };
  const draft = {
    kind: "webhook",
    name: "Bridge",
    settings,
    timeZone: null,
    isAppTokenRemoved: false,
  };

  it("contains no secret", () => {
    const kept = keptChannels({
      dialog: "form",
      channel: null,
      draft: { ...draft, kind: "webhook" },
    });
    expect(JSON.stringify(kept)).not.toContain("x.example");
    expect(isKeptChannels(kept.state)).toBe(true);
  });

  it.each([
    null,
    { dialog: "form", channel: 1, draft },
    { dialog: "form", channel: null, draft: { ...draft, kind: "fax" } },
    { dialog: "form", channel: null, draft: { ...draft, settings: { url: 1 } } },
    { dialog: "form", channel: null, draft: { ...draft, timeZone: 1 } },
    { dialog: "form", channel: null, draft: { ...draft, isAppTokenRemoved: "no" } },
    { dialog: "remove" },
  ])("rejects %j", (state) => {
    expect(isKeptChannels(state)).toBe(false);
  });
});
