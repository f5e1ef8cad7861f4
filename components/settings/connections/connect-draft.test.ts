import { expect, test } from "vitest";
import { ConnectRequest, type CheckStep } from "@/lib/contracts/connections";
import { isConnectable } from "@/lib/domain/check-steps";
import {
  ALL_FIELDS,
  connectRequestOf,
  isCheckedAlike,
  isConnectDraft,
  keptForm,
  missingScopes,
  NEW_DRAFT,
  problemsOf,
  proposedSlug,
  type ConnectDraft,
} from "./connect-draft";

const NONE: ReadonlySet<string> = new Set();
const DRAFT: ConnectDraft = {
  ...NEW_DRAFT,
  name: " Halden Construction ",
  baseUrl: " https://api.halden.example/api/v3 ",
  clientId: "hc",
  clientSecret: " s3cret\n",
};

test.each([
  ["Halden Construction", "halden"],
  ["Ångström & Sønner", "angstrom"],
  ["AB Volt", "ab-volt"],
  ["API Partners", "api-partners"],
  ["partners", ""],
  ["日本建設", ""],
  ["", ""],
  ["x".repeat(60), "x".repeat(40)],
])("proposes an address for %j", (name, slug) => {
  expect(proposedSlug(name, NONE)).toBe(slug);
});

test("proposes the whole name where the first word is taken, and nothing where both are", () => {
  expect(proposedSlug("Halden Rail", new Set(["halden"]))).toBe("halden-rail");
  expect(proposedSlug("Halden Rail", new Set(["halden", "halden-rail"]))).toBe("");
});

test("finds what is missing and invalid, as the contract does", () => {
  const problems = (changes: Partial<ConnectDraft>, taken = NONE) =>
    problemsOf({ ...DRAFT, ...changes }, taken, ALL_FIELDS);
  const isValid = (changes: Partial<ConnectDraft>) =>
    ConnectRequest.safeParse(connectRequestOf({ ...DRAFT, ...changes }, NONE)).success;
  expect(problems({})).toEqual({});
  expect(isValid({})).toBe(true);
  for (const [changes, found] of [
    [{ name: " " }, { name: "empty", slug: "empty" }],
    [{ slug: "Halden" }, { slug: "invalid" }],
    [{ slug: "settings" }, { slug: "invalid" }],
    [{ baseUrl: "api.halden.example" }, { baseUrl: "invalid" }],
    [{ baseUrl: "ftp://a.example" }, { baseUrl: "invalid" }],
    [{ baseUrl: "https://u:p@a.example" }, { baseUrl: "invalid" }],
    [{ baseUrl: "https://a.example/?x=1" }, { baseUrl: "invalid" }],
    [{ clientId: "" }, { clientId: "empty" }],
    [{ clientSecret: "env:SECRET" }, { clientSecret: "environment" }],
  ] as const) {
    expect(problems(changes)).toEqual(found);
    expect(isValid(changes)).toBe(false);
  }
  expect(problems({ slug: "halden" }, new Set(["halden"]))).toEqual({ slug: "taken" });
});

test("sends only what was given, without surrounding white space", () => {
  expect(connectRequestOf(DRAFT, NONE)).toEqual({
    slug: "halden",
    name: "Halden Construction",
    base_url: "https://api.halden.example/api/v3",
    client_id: "hc",
    client_secret: "s3cret",
  });
  const more = { timeZone: "Europe/Oslo", owner: "id", externalId: " 001-7 " };
  expect(connectRequestOf({ ...DRAFT, ...more }, NONE)).toMatchObject({
    time_zone: "Europe/Oslo",
    owner: "id",
    external_id: "001-7",
  });
});

test("a check stays valid while only the company's own fields change", () => {
  expect(isCheckedAlike(DRAFT, { ...DRAFT, name: "Other", slug: "other" })).toBe(true);
  expect(isCheckedAlike(DRAFT, { ...DRAFT, clientSecret: "other" })).toBe(false);
});

test("keeps the form in the browser without its secret", () => {
  const { state } = keptForm(DRAFT);
  expect(JSON.stringify(state)).not.toContain("s3cret");
  expect(isConnectDraft(state)).toBe(true);
  expect(isConnectDraft({ ...DRAFT, owner: 7 })).toBe(false);
  expect(isConnectDraft(null)).toBe(false);
});

test("a company is readable once its rows are", () => {
  const step = (name: CheckStep["step"], ok: boolean | null): CheckStep => ({
    step: name,
    ok,
    text: "",
    ms: null,
    detail: { note: null },
  });
  const good = [step("address", true), step("token", true), step("rows", true)];
  expect(isConnectable([...good, step("scopes", false), step("clock", null)])).toBe(true);
  expect(isConnectable([step("address", true), step("token", false), step("rows", null)])).toBe(
    false,
  );
  expect(isConnectable([])).toBe(false);
  const scopes: CheckStep = {
    ...step("scopes", false),
    detail: {
      note: null,
      scopes: [
        { scope: "read:sync_status", granted: true, use: "" },
        { scope: "write:schedule_files", granted: false, use: "" },
      ],
    },
  };
  expect(missingScopes([...good, scopes])).toBe(1);
  expect(missingScopes(good)).toBe(0);
});
