import { formProblem } from "@/components/ui/form/field-problem";
import type { NamedProblem } from "@/components/ui/form/typed-input";
import { PromiseRequest, type PromiseView } from "@/lib/contracts/promises";
import { ruleFault } from "@/lib/domain/deadlines/calendar";
import type { MonthDay } from "@/lib/domain/deadlines/deadline";
import { ruleOf } from "@/lib/domain/deadlines/entered-rule";
import { WEEKDAYS, type Weekday } from "@/lib/domain/time/weekdays";
import { parseTyped } from "@/lib/domain/time/typed-date";
import { FAULT_TEXT, LACK_TEXT, type Lack } from "./words";

/** A promise as its form holds it. Texts are as typed; empty: not given. */
export type PromiseDraft = {
  /** Otherwise it isn't said yet what the promise is about. */
  isChosen: boolean;
  /** Both null: every active feed of the company. */
  partner: string | null;
  endpointId: string | null;
  by: string;
  days: readonly Weekday[];
  /** Days of the month count instead of `days`. */
  isMonthly: boolean;
  monthDays: readonly MonthDay[];
  timeZone: string;
  dataFrom: string;
  /** One date per line. */
  holidays: string;
  allowance: string;
  from: string;
  until: string;
  target: string;
  note: string;
};

/** @param timeZone IANA name */
export function newDraft(timeZone: string): PromiseDraft {
  return {
    isChosen: false,
    partner: null,
    endpointId: null,
    by: "07:00",
    days: WEEKDAYS.slice(0, 5),
    isMonthly: false,
    monthDays: [],
    timeZone,
    dataFrom: "",
    holidays: "",
    allowance: "",
    from: "",
    until: "",
    target: "",
    note: "",
  };
}

export function draftOf(promise: PromiseView): PromiseDraft {
  const { allowance_minutes: allowance, target_percent: target } = promise;
  return {
    isChosen: true,
    partner: promise.partner,
    endpointId: promise.endpoint_id,
    by: promise.by,
    days: promise.days ?? WEEKDAYS.slice(0, 5),
    isMonthly: promise.month_days !== null,
    monthDays: promise.month_days ?? [],
    timeZone: promise.time_zone,
    dataFrom: promise.data_from ?? "",
    holidays: promise.holidays.join("\n"),
    allowance: allowance === 0 ? "" : String(allowance),
    from: promise.from ?? "",
    until: promise.until ?? "",
    target: target === null ? "" : String(target),
    note: promise.note ?? "",
  };
}

/**
 * The request for a draft. What can't be read is passed on, so that the schema refuses it.
 * @param today "2026-11-24", completes dates without a year
 */
export function requestOf(draft: PromiseDraft, today: string): PromiseRequest {
  const { isMonthly, allowance, target, note } = draft;
  return {
    // An endpoint's partner follows from it.
    partner: draft.endpointId === null ? draft.partner : null,
    endpoint_id: draft.endpointId,
    by: draft.by,
    days: isMonthly ? null : [...draft.days],
    month_days: isMonthly ? [...draft.monthDays] : null,
    time_zone: draft.timeZone,
    data_from: textOrNull(draft.dataFrom),
    holidays: linesOf(draft.holidays).map((line) => parseTyped(line, "date", today) ?? line),
    allowance_minutes: numberOrNull(allowance),
    from: textOrNull(draft.from),
    until: textOrNull(draft.until),
    target_percent: numberOrNull(target),
    note: textOrNull(note.trim()),
  };
}

/** The members that a change sets: a day that has passed may stay, but can't be set again. */
export function changesOf(before: PromiseRequest, after: PromiseRequest): Partial<PromiseRequest> {
  const beforeOf = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(beforeOf.get(name)),
    ),
  );
}

/** `ruleFault` of a complete promise. @param before the promise so far; null: it is new */
export function draftFault(
  draft: PromiseDraft,
  before: PromiseDraft | null,
  today: string,
): ReturnType<typeof ruleFault> {
  const rule = (one: PromiseDraft) => ruleOf(requestOf(one, today));
  return ruleFault(rule(draft), before && rule(before), today);
}

/** The field of the form that a member of the request is entered in, in the order of the form. */
const FIELDS = {
  partner: "subject",
  endpoint_id: "subject",
  by: "by",
  time_zone: "timeZone",
  days: "days",
  month_days: "monthDays",
  data_from: "dataFrom",
  holidays: "holidays",
  allowance_minutes: "allowance",
  from: "from",
  until: "until",
  target_percent: "target",
  note: "note",
} as const satisfies Record<string, Lack>;

/** @param path of an issue in the request */
export function lackAt(path: readonly PropertyKey[]): Lack {
  const [member] = path;
  return typeof member === "string" && member in FIELDS
    ? FIELDS[member as keyof typeof FIELDS]
    : "days";
}

/**
 * What has to be mended before a draft can be saved, in the order of the form; null: nothing.
 * @param before the promise so far; null: it is new
 * @param refused texts that no value could be read from: such a field keeps its last valid value in the draft
 */
export function draftProblem(
  draft: PromiseDraft,
  before: PromiseDraft | null,
  { today, refused }: { today: string; refused: readonly NamedProblem[] },
): ReturnType<typeof formProblem> {
  const { issues = [] } = PromiseRequest.safeParse(requestOf(draft, today)).error ?? {};
  const lacks: readonly Lack[] = [
    ...(draft.isChosen ? [] : (["subject"] as const)),
    ...issues.map(({ path }) => lackAt(path)),
  ];
  const problems = [...refused, ...lacks.map((field) => ({ problem: LACK_TEXT[field], field }))];
  const fault = problems.length === 0 ? draftFault(draft, before, today) : null;
  if (fault !== null)
    return { problem: FAULT_TEXT[fault], field: fault === "noDay" ? "until" : fault };
  const order: readonly string[] = Object.values(FIELDS);
  return formProblem(problems.toSorted((a, b) => order.indexOf(a.field) - order.indexOf(b.field)));
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function textOrNull(text: string): string | null {
  return text === "" ? null : text;
}

/** Null for an empty text; NaN, which the schema refuses, for one that isn't a number. */
function numberOrNull(text: string): number | null {
  const typed = text.trim();
  if (typed === "") return null;
  return /^\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN;
}
