import type { RuleFields, RuleRequest } from "@/lib/client/queries/rules";
import { isRecord } from "@/lib/client/snapshot";
import type { RuleView } from "@/lib/contracts/delivery";
import { RULE_PROMISES } from "@/lib/domain/delivery/rule";
import { TROUBLES } from "@/lib/domain/incidents/incident";
import { minutesOf } from "@/lib/domain/time/day";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import type { Change } from "./load-words";

/** Initial values of a rule: what has lasted, so that a message is worth reading. */
export const NEW_FIELDS: RuleFields = {
  companies: "all",
  partners: "all",
  from_verdict: "stale",
  after_minutes: 15,
  unacknowledged_only: false,
  remind_every_minutes: null,
  promises: "none",
  quiet: null,
  brief: null,
};

export const NEW_RULE: RuleRequest = { ...NEW_FIELDS, name: "", channels: [] };

/** The fields of a rule that a change sets. */
export function changedFields(given: Change): Partial<RuleFields> {
  const { from_verdict: from, after_minutes: after, quiet } = given;
  return {
    ...(from !== undefined && { from_verdict: from }),
    ...(after !== undefined && { after_minutes: after }),
    ...(quiet !== undefined && { quiet }),
  };
}

/** What a form can lack, in its order. */
const LACKS = [
  "name",
  "companies",
  "partners",
  "minutes",
  "channels",
  "quiet days",
  "quiet hours",
  "brief days",
  "brief time",
] as const;

/** A missing or invalid part of a form. */
export type Lack = (typeof LACKS)[number];

/** A week, minutes. */
const LONGEST_MINUTES = 7 * 24 * 60;

/** The missing or invalid parts of what is sent and when, in the order of the form. */
export function lacksOfFields(fields: RuleFields): Lack[] {
  const { companies, partners, after_minutes: after, quiet, brief } = fields;
  const isLack: Readonly<Partial<Record<Lack, boolean>>> = {
    companies: companies.length === 0,
    partners: partners.length === 0,
    minutes: !Number.isInteger(after) || after < 0 || after > LONGEST_MINUTES,
    "quiet days": quiet?.days.length === 0,
    "quiet hours":
      quiet !== null &&
      (minutesOf(quiet.from) === null ||
        minutesOf(quiet.until) === null ||
        quiet.from === quiet.until),
    "brief days": brief?.days.length === 0,
    "brief time": brief !== null && minutesOf(brief.at) === null,
  };
  return LACKS.filter((lack) => isLack[lack] === true);
}

/** The missing or invalid parts of a rule, in the order of the form. */
export function lacksOf(rule: RuleRequest): Lack[] {
  const ofFields = lacksOfFields(rule);
  return LACKS.filter((lack) => {
    if (lack === "name") return rule.name.trim() === "";
    return lack === "channels" ? rule.channels.length === 0 : ofFields.includes(lack);
  });
}

/** The fields that decide what a rule sends, without its name and channels. */
export function fieldsOf(rule: RuleFields): RuleFields {
  return {
    companies: rule.companies,
    partners: rule.partners,
    from_verdict: rule.from_verdict,
    after_minutes: rule.after_minutes,
    unacknowledged_only: rule.unacknowledged_only,
    remind_every_minutes: rule.remind_every_minutes,
    promises: rule.promises,
    quiet: rule.quiet,
    brief: rule.brief,
  };
}

/** Draft of an existing rule. */
export function draftOf(rule: RuleView): RuleRequest {
  return { ...fieldsOf(rule), name: rule.name, channels: rule.channels };
}

export const RULES_DIALOG = "rules";

/** A draft on this page, stored during a redirect to the identity provider. */
export type KeptRule = { draft: RuleRequest };

/** @param state stored in this browser, maybe by another version of the page */
export function isKeptRule(state: unknown): state is KeptRule {
  if (!isRecord(state) || !isRecord(state["draft"])) return false;
  const { draft } = state;
  return (
    typeof draft["name"] === "string" &&
    areNames(draft["channels"]) &&
    (draft["companies"] === "all" || areNames(draft["companies"])) &&
    (draft["partners"] === "all" || areNames(draft["partners"])) &&
    TROUBLES.some((trouble) => trouble === draft["from_verdict"]) &&
    typeof draft["after_minutes"] === "number" &&
    typeof draft["unacknowledged_only"] === "boolean" &&
    ["number", "object"].includes(typeof draft["remind_every_minutes"]) &&
    RULE_PROMISES.some((promises) => promises === draft["promises"]) &&
    areTimes(draft["quiet"], ["from", "until", "time_zone"]) &&
    areTimes(draft["brief"], ["at", "time_zone"])
  );
}

function areTimes(value: unknown, texts: readonly string[]): boolean {
  if (value === null) return true;
  return (
    isRecord(value) &&
    texts.every((key) => typeof value[key] === "string") &&
    Array.isArray(value["days"]) &&
    value["days"].every((day) => WEEKDAYS.some((one) => one === day))
  );
}

function areNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
