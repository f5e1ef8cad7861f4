import type { ReportPartner, ReportView } from "@/lib/contracts/report";
import { addKept, type KeptCounts } from "@/lib/domain/deadlines/kept";
import { listed } from "@/lib/domain/text/listed";
import { dayOf } from "@/lib/domain/time/day";
import { dayOrdinal, monthAndYear, monthName } from "@/lib/domain/time/calendar-names";
import { zoneName } from "@/lib/domain/time/zone-name";
import { dayAndMonth } from "@/lib/domain/words/dates";
import { asideText, keptRatio, keptText } from "@/lib/domain/words/deadlines/kept-text";
import { clockTime, count, counted, duration } from "@/lib/domain/words/format";

/** Sentences of a report. Days and months are in its own time zone. */

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
/** Maximum number of names in a sentence. */
const MAX_NAMES = 3;

const CAUSES = { failed: "failed", timed_out: "timed out", rate_limited: "rate limited" } as const;

type Said = string | { strong: string };

/** "Sept", for narrow columns. */
export function monthShort(month: string): string {
  const name = monthName(month);
  if (name.length <= 4) return name;
  return name.slice(0, name === "September" ? 4 : 3);
}

/** "97.2%" @param percent with one decimal; `isRounded`: 0 and 100 are neither quite none nor quite all */
export function percentText(percent: number, isRounded = false): string {
  if (isRounded && percent === 0) return "less than 0.1%";
  if (isRounded && percent === 100) return "more than 99.9%";
  return `${percent.toFixed(1)}%`;
}

const SHARES = ["on_time", "overdue", "planned_quiet", "not_observed"] as const;
type Shares = Record<(typeof SHARES)[number], number>;
type Measured = Pick<ReportPartner, "days" | "longest_overdue_seconds">;

/** Which times there were at all, however short: shares are rounded. @param parts a whole, in parts */
function timesOf(parts: readonly Measured[]): Record<keyof Shares, boolean> {
  const cells = parts.flatMap(({ days }) => days.flatMap((cell) => (cell === null ? [] : [cell])));
  return {
    on_time: cells.some(([overdue, quiet, hidden]) => overdue + quiet + hidden < 99.95),
    overdue: parts.some(({ longest_overdue_seconds: seconds }) => seconds > 0),
    planned_quiet: cells.some(([, quiet]) => quiet > 0),
    not_observed: cells.some(([, , hidden]) => hidden > 0),
  };
}

/**
 * Shares with how each is said, for a table ("97.2", "<0.1", ">99.9") and in a sentence ("97.2%", "less than 0.1%").
 * @param parts what they are the shares of
 */
export function shareTexts(
  shares: Shares,
  parts: readonly Measured[],
): Record<keyof Shares, { cell: string; said: string; isNone: boolean }> {
  const times = timesOf(parts);
  const textOf = (name: keyof Shares) => {
    const share = shares[name];
    const isAny = share === 0 && times[name];
    const isMost = share === 100 && SHARES.some((other) => other !== name && times[other]);
    return {
      cell: isAny ? "<0.1" : isMost ? ">99.9" : share.toFixed(1),
      said: percentText(share, isAny || isMost),
      isNone: share === 0 && !isAny,
    };
  };
  return {
    on_time: textOf("on_time"),
    overdue: textOf("overdue"),
    planned_quiet: textOf("planned_quiet"),
    not_observed: textOf("not_observed"),
  };
}

/** The share of the checked time that was on time, or overdue. @param parts what it is the share of */
function checkedText(
  percent: number,
  name: "on_time" | "overdue",
  parts: readonly Measured[],
): string {
  const { not_observed: _, ...times } = timesOf(parts);
  const isOther = Object.entries(times).some(([other, isThere]) => other !== name && isThere);
  return percentText(percent, percent === 0 ? times[name] : isOther);
}

/** "+0.8", "−3.1", "0.0" @param points difference of two shares */
export function changeText(points: number): string {
  const tenths = Math.round(points * 10) / 10;
  const sign = tenths > 0 ? "+" : tenths < 0 ? "−" : "";
  return `${sign}${Math.abs(tenths).toFixed(1)}`;
}

/** "Wed 21 October" @param day "2026-10-21" */
export function dayText(day: string): string {
  const weekday = WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? "";
  return `${weekday} ${Number(day.slice(8))} ${monthName(day)}`;
}

/** "Mon 23 November 2026" @param day "2026-11-23" */
export function dayAndYear(day: string): string {
  return `${dayText(day)} ${day.slice(0, 4)}`;
}

/** "6 h 10 m" */
export function longestText(seconds: number): string {
  return seconds === 0 ? "" : duration(seconds * 1000);
}

/** "October"; "November so far" */
function monthSoFar(report: ReportView): string {
  return `${monthName(report.month)}${isRunning(report) ? " so far" : ""}`;
}

/** A month is closed some time after it's over: then its figures never change. Null for a month that hasn't started. */
export function stateOfMonth(report: ReportView): "running" | "over" | "closed" | null {
  if (isAhead(report)) return null;
  return isRunning(report) ? "running" : report.closed ? "closed" : "over";
}

function isRunning({
  month,
  closed,
  as_of,
  time_zone,
}: Pick<ReportView, "month" | "closed" | "as_of" | "time_zone">): boolean {
  return !closed && (as_of === null || dayOf(Date.parse(as_of), time_zone).slice(0, 7) <= month);
}

/**
 * "97.2% of October", "81.0% of the time we could check (56.8% of November so far)": unobserved time
 * counts neither for nor against a partner.
 * @param ofChecked of the observed time, as a text
 * @param notObserved percent of the month
 */
function ofCheckedTime(ofChecked: string, notObserved: number, report: ReportView): string {
  const month = monthSoFar(report);
  if (notObserved === 0) return `${ofChecked} of ${month}`;
  return `${ofChecked} of the time we could check (${percentText(100 - notObserved, true)} of ${month})`;
}

/** The report's headline. */
export function reportTitle(report: ReportView, company: string): string {
  const { month, total, observed, headline } = report;
  if (total === null) {
    if (observed === 0 && !report.history_complete)
      return `${monthAndYear(month)} isn’t loaded yet`;
    if (observed === 0) return `We didn’t check anything in ${monthAndYear(month)}`;
    return isAhead(report)
      ? `${monthAndYear(month)} hasn’t started yet`
      : `Nothing to report for ${monthAndYear(month)} yet`;
  }
  if (headline.on_time_of_checked === null) {
    return `We couldn’t check anything in ${monthSoFar(report)}`;
  }
  const whose = `${company}${company.endsWith("s") ? "’" : "’s"} partners`;
  const onTime = checkedText(headline.on_time_of_checked, "on_time", report.partners);
  const share = ofCheckedTime(onTime, total.not_observed, report);
  return `${whose} ${isRunning(report) ? "have been" : "were"} on time ${share}`;
}

/** Whether a month is in the future. */
export function isAhead({ month, as_of, time_zone }: ReportView): boolean {
  return as_of !== null && month > dayOf(Date.parse(as_of), time_zone).slice(0, 7);
}

/** "As of Wed 25 November 2026, 01:12 UTC."; empty for a closed or future month. */
export function asOfText(report: ReportView): string {
  const { as_of, time_zone } = report;
  if (as_of === null || isAhead(report)) return "";
  const ms = Date.parse(as_of);
  return `As of ${dayAndYear(dayOf(ms, time_zone))}, ${clockTime(ms, time_zone)} ${zoneName(ms, time_zone)}.`;
}

/** The sentences below the headline, in parts. */
export function reportSentences(report: ReportView): Said[] {
  const { total, partners } = report;
  if (total === null) return [];
  const said: Said[] = [];
  const worst = partners.toSorted(
    (a, b) => (b.overdue_of_checked ?? 0) - (a.overdue_of_checked ?? 0),
  )[0];
  if (worst !== undefined && worst.longest_overdue_seconds > 0) {
    const share =
      worst.not_observed === 0
        ? `${shareTexts(worst, [worst]).overdue.said} of the month${isRunning(report) ? " so far" : ""}`
        : `${checkedText(worst.overdue_of_checked ?? 0, "overdue", [worst])} of the time we could check`;
    said.push(
      `${worst.partner_name} was overdue most: `,
      { strong: share },
      `, longest ${periodText(worst)}, ${longestText(worst.longest_overdue_seconds)}${causeText(worst)}. `,
    );
  }
  const never = partners.filter(
    (partner) => partner.longest_overdue_seconds === 0 && (partner.on_time_of_checked ?? 0) > 0,
  );
  if (never.length > 0) {
    const ending = never.some(({ not_observed }) => not_observed > 0) ? " when we checked" : "";
    said.push(
      never.length === partners.length && never.length > 1
        ? `No partner was overdue${ending}. `
        : `${namesText(never.map((partner) => partner.partner_name))} ${never.length === 1 ? "was" : "were"} never overdue${ending}. `,
    );
  }
  const promises = promisesOf(report);
  if (promises !== null)
    said.push("Promises: ", { strong: keptText(promises) }, `${asideText(promises)}. `);
  if (total.not_observed > 0 && total.not_observed < 100) {
    const most = leastObservedDay(partners);
    said.push(
      `We couldn’t check ${percentText(total.not_observed)} of ${monthSoFar(report)}${most === null ? "" : `, most on the ${most}`}.`,
    );
  }
  return said;
}

/** All closed days of promises in the month; null: there is none. */
export function promisesOf({
  partners,
  apart,
}: Pick<ReportView, "partners" | "apart">): KeptCounts | null {
  // A partner's are those of all its feeds, also of those without a schedule.
  const named = new Set(partners.map(({ partner_name: name }) => name));
  const others = apart.filter(({ partner_name: name }) => !named.has(name));
  const counts = [...partners, ...others].flatMap(({ promises }) => promises ?? []);
  return counts.length === 0 ? null : addKept(counts);
}

/** "16 of 17", and "16 of 17 kept, 1 missed, 2 excused"; null: no day of a promise was closed. */
export function promiseCell(counts: KeptCounts | null): { text: string; said: string } | null {
  if (counts === null) return null;
  return { text: keptRatio(counts) ?? "–", said: `${keptText(counts)}${asideText(counts)}` };
}

/**
 * The days of the longest overdue time: "on Wed 14 October", "from Sun 15 to Mon 16 November";
 * empty for none.
 */
export function periodText({
  longest_overdue_day: from,
  longest_overdue_last_day: until,
}: Pick<ReportPartner, "longest_overdue_day" | "longest_overdue_last_day">): string {
  if (from === null || until === null) return "";
  if (from === until) return `on ${dayText(from)}`;
  return `from ${dayText(from).replace(/ \w+$/, "")} to ${dayText(until)}`;
}

/** "Procore was on time 97.2% of October; overdue most on the 14th, 6 h 10 m, rate limited." */
export function partnerSentence(partner: ReportPartner, report: ReportView): string {
  const {
    partner_name,
    on_time_of_checked,
    not_observed,
    longest_overdue_day: from,
    longest_overdue_last_day: until,
    longest_overdue_seconds,
  } = partner;
  if (on_time_of_checked === null)
    return `We couldn’t check ${partner_name} in ${monthSoFar(report)}.`;
  const onTime = checkedText(on_time_of_checked, "on_time", [partner]);
  const parts = [`${partner_name} was on time ${ofCheckedTime(onTime, not_observed, report)}`];
  if (from !== null && until !== null) {
    const days =
      from === until
        ? `on the ${dayOrdinal(from)}`
        : `from the ${dayOrdinal(from)} to the ${dayOrdinal(until)}`;
    parts.push(
      `overdue most ${days}, ${longestText(longest_overdue_seconds)}${causeText(partner)}`,
    );
  } else parts.push(`never overdue${not_observed > 0 ? " when we checked" : ""}`);
  if (partner.planned_quiet > 0) parts.push(`planned quiet ${percentText(partner.planned_quiet)}`);
  if (not_observed > 0) parts.push(`we couldn’t check ${percentText(not_observed)}`);
  if (partner.promises !== null)
    parts.push(`promises: ${keptText(partner.promises)}${asideText(partner.promises)}`);
  return `${parts.join("; ")}.`;
}

/** The incidents of a partner that several customers had in common, a sentence for each. */
export function fleetSentences(
  { partner_name: partner, fleet_incidents: fleets }: ReportPartner,
  timeZone: string,
): string[] {
  return fleets.map(({ opened_at: at, incidents, companies }) => {
    const day = dayAndMonth(Date.parse(at), timeZone);
    const which = incidents === 1 ? "1 incident was" : `${count(incidents)} incidents were`;
    return `${day}: ${which} part of one that hit ${partner} at ${count(companies)} customers.`;
  });
}

/** A text alternative for a calendar of days. */
export function calendarText({ days }: Pick<ReportPartner, "days">, month: string): string {
  const cells = days.flatMap((cell, at) => (cell === null ? [] : [{ cell, dayNumber: at + 1 }]));
  const overdue = cells.filter(({ cell }) => cell[3] !== null);
  const hidden = cells.filter(({ cell }) => cell[2] > 0).length;
  const quiet = cells.filter(({ cell }) => cell[1] > 0).length;
  const worst = overdue.toSorted((a, b) => b.cell[0] - a.cell[0])[0];
  const parts = [
    worst === undefined
      ? "never overdue"
      : `overdue on ${counted(overdue.length, "day")}, most on the ${dayOrdinal(`${month}-${String(worst.dayNumber).padStart(2, "0")}`)}`,
  ];
  if (quiet > 0) parts.push(`planned quiet on ${counted(quiet, "day")}`);
  if (hidden > 0) parts.push(`${counted(hidden, "day")} not fully checked`);
  return `${monthName(month)} by day: ${parts.join("; ")}`;
}

function causeText({ longest_overdue_cause: cause }: ReportPartner): string {
  return cause === null ? "" : `, ${CAUSES[cause]}`;
}

function namesText(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const others = more > 0 ? [`${more} ${more === 1 ? "other" : "others"}`] : [];
  return listed([...names.slice(0, MAX_NAMES), ...others]);
}

/** @returns "9th"; null where no day stands out: less than an hour of it, or several alike */
function leastObservedDay(partners: readonly ReportPartner[]): string | null {
  const length = Math.max(0, ...partners.map(({ days }) => days.length));
  const shares = Array.from({ length }, (_, at) => {
    const own = partners.flatMap(({ days }) => days[at]?.[2] ?? []);
    return own.reduce((sum, share) => sum + share, 0) / Math.max(1, own.length);
  });
  const most = Math.max(0, ...shares);
  const at = shares.indexOf(most);
  if (most < 100 / 24 || shares.filter((share) => share > most * 0.8).length > 1) return null;
  return dayOrdinal(`2000-01-${String(at + 1).padStart(2, "0")}`);
}
