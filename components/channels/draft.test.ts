import { describe, expect, it } from "vitest";
import type { Channel } from "@/lib/contracts/delivery";
import { changeOf, draftOf, isKeptChannels, keptChannels, requestOf } from "./draft";

const CHANNEL: Channel = {
  id: "a",
  kind: "slack_app",
  name: "#sync-alerts",
  settings: { channel: "C04N7T2" },
  created_at: "2026-11-20T10:00:00Z",
  state: "working",
  failing_since: null,
  said: null,
  tried_at: null,
  missed: 0,
};

describe("the form of a channel", () => {
  it("sends what its kind needs, and nothing else", () => {
    const settings = { token: " xoxb-1 ", channel: "C1", url: "https://elsewhere.example" };
    expect(requestOf({ kind: "slack_app", name: " Ops ", settings })).toEqual({
      kind: "slack_app",
      name: "Ops",
      settings: { token: "xoxb-1", channel: "C1" },
    });
  });

  it("is not complete without a name, or what its kind needs", () => {
    expect(requestOf({ kind: "teams", name: "", settings: { url: "https://x.example" } })).toBe(
      null,
    );
    expect(requestOf({ kind: "slack_app", name: "Ops", settings: { channel: "C1" } })).toBe(null);
  });

  it("leaves it to us to make the secret of a webhook", () => {
    const settings = { url: "https://x.example", secret: "" };
    expect(requestOf({ kind: "webhook", name: "Bridge", settings })?.settings).toEqual({
      url: "https://x.example",
    });
  });

  it("changes only what differs, a secret only where one is typed", () => {
    const draft = draftOf(CHANNEL);
    expect(changeOf(draft, CHANNEL)).toEqual({});
    expect(changeOf({ ...draft, name: "#ops" }, CHANNEL)).toEqual({ name: "#ops" });
    const settings = { ...draft.settings, token: "xoxb-2" };
    expect(changeOf({ ...draft, settings }, CHANNEL)).toEqual({ settings: { token: "xoxb-2" } });
    expect(changeOf({ ...draft, settings: { channel: "" } }, CHANNEL)).toBe(null);
  });
});

describe("a kept form", () => {
  const draft = { kind: "webhook", name: "Bridge", settings: { url: "https://x.example/key" } };

  it("holds no secret", () => {
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
    { dialog: "remove" },
  ])("is not taken for one: %j", (state) => {
    expect(isKeptChannels(state)).toBe(false);
  });
});
