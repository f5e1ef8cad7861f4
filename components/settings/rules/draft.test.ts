import { describe, expect, it } from "vitest";
import { NEW_RULE, isKeptRule, lacksOf, lacksOfFields } from "./draft";

const RULE = { ...NEW_RULE, name: "Everyone", channels: ["a"] };
const NIGHT = {
  days: ["mon"],
  from: "22:00",
  until: "06:00",
  time_zone: "Europe/Oslo",
} satisfies NonNullable<typeof RULE.quiet>;
const BRIEF = { days: ["mon"], at: "08:00", time_zone: "Europe/Oslo" } satisfies NonNullable<
  typeof RULE.brief
>;

describe("a rule draft", () => {
  it("is complete with a name and a channel", () => {
    expect(lacksOf(RULE)).toEqual([]);
    expect(lacksOf({ ...RULE, quiet: NIGHT, brief: BRIEF })).toEqual([]);
    expect(lacksOf({ ...RULE, name: " " })).toEqual(["name"]);
    expect(lacksOf({ ...RULE, channels: [] })).toEqual(["channels"]);
    expect(lacksOf({ ...NEW_RULE, companies: [], brief: { ...BRIEF, at: "" } })).toEqual([
      "name",
      "companies",
      "channels",
      "brief time",
    ]);
  });

  it.each([
    ["companies", { companies: [] }],
    ["partners", { partners: [] }],
    ["minutes", { after_minutes: Number.NaN }],
    ["minutes", { after_minutes: 1.5 }],
    ["minutes", { after_minutes: -1 }],
    ["minutes", { after_minutes: 10_081 }],
    ["quiet days", { quiet: { ...NIGHT, days: [] } }],
    ["quiet hours", { quiet: { ...NIGHT, until: "22:00" } }],
    ["quiet hours", { quiet: { ...NIGHT, from: "" } }],
    ["brief days", { brief: { ...BRIEF, days: [] } }],
    ["brief time", { brief: { ...BRIEF, at: "" } }],
  ])("reports that %s is missing: %j", (lack, changes) => {
    expect(lacksOfFields({ ...RULE, ...changes })).toEqual([lack]);
  });
});

describe("a stored rule draft", () => {
  it("survives JSON", () => {
    const state: unknown = JSON.parse(
      JSON.stringify({ draft: { ...RULE, quiet: NIGHT, brief: BRIEF } }),
    );
    expect(isKeptRule(state)).toBe(true);
  });

  it.each([
    null,
    {},
    { draft: { ...RULE, companies: "some" } },
    { draft: { ...RULE, from_verdict: "fresh" } },
    { draft: { ...RULE, quiet: { ...NIGHT, days: ["someday"] } } },
    { draft: { ...RULE, brief: {} } },
    { draft: { ...RULE, promises: "kept" } },
  ])("rejects %j", (state) => {
    expect(isKeptRule(state)).toBe(false);
  });
});
