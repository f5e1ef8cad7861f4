import { expect, test } from "vitest";
import { NEW_RULE } from "@/components/settings/rules/draft";
import { isKeptSlack, keptSlack, lacksOf, named, NEW_SLACK } from "./slack-draft";

const of = (settings: Record<string, string>) => ({ ...NEW_SLACK, settings });
const WHOLE = { token: " xoxb-1 ", app_token: "xapp-1", channel: "#alerts" };

test.for([
  [{}, true, ["token", "channel"]],
  [{}, false, ["channel"]],
  [{ ...WHOLE, token: "xapp-1" }, true, ["token"]],
  [{ ...WHOLE, token: "" }, true, ["token"]],
  [{ ...WHOLE, token: "" }, false, []],
  [{ ...WHOLE, app_token: "xoxb-1" }, true, ["app_token"]],
  [{ ...WHOLE, app_token: "" }, true, []],
  [{ ...WHOLE, channel: " " }, true, ["channel"]],
  [{ token: "1", app_token: "1" }, true, ["token", "app_token", "channel"]],
  [WHOLE, true, []],
] as const)("finds what is missing in %o, new: %s", ([settings, isNew, lacks]) => {
  expect(lacksOf(of(settings), isNew)).toEqual(lacks);
});

test("is named after the Slack channel unless it has a name", () => {
  expect(named(of(WHOLE)).name).toBe("#alerts");
  expect(named({ ...of(WHOLE), name: "Ops" }).name).toBe("Ops");
});

test("is kept for a sign-in without its tokens, and with the rule", () => {
  const { kind, state } = keptSlack({ draft: of(WHOLE), rule: { ...NEW_RULE, name: "All" } });
  expect(kind).toBe("slack");
  expect(JSON.stringify(state)).not.toMatch(/xox|xapp/);
  expect(isKeptSlack(JSON.parse(JSON.stringify(state)))).toBe(true);
  for (const other of [null, {}, { draft: {}, rule: null }, { draft: NEW_SLACK, rule: 1 }])
    expect(isKeptSlack(other)).toBe(false);
});
