import type { ReportPartner, ReportView } from "@/lib/contracts/report";
import { listed } from "@/lib/domain/text/listed";
import { counted, duration } from "@/lib/domain/words/format";

/** What a report says in sentences. Days and months are those of its own time zone. */

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
/** More names than these nobody reads out. */
const NAMES_AT_MOST = 3;

const CAUSES = { failed: "failed", timed_out: "timed out", rate_limited: "rate limited" } as const;

type Said = string | { strong: string };

/** "October" @param month "2026-10" */
export function monthName(month: string): string {
  return MONTHS[Number(month.slice(5, 7)) - 1] ?? month;
}

/** "Sept", where room is short. */
export function monthShort(month: string): string {
  const name = monthName(month);
  if (name.length <= 4) return name;
  return name.slice(0, name === "September" ? 4 : 3);
}

/** "October 2026" */
export function monthAndYear(month: string): string {
  return `${monthName(month)} ${month.slice(0, 4)}`;
}

/** "97.2%" @param percent with one decimal */
export function percentText(percent: number): string {
  return `${percent.toFixed(1)}%`;
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

/** "14th" */
export function dayOrdinal(day: string): string {
  const number = Number(day.slice(8));
  const isTeen = number % 100 > 10 && number % 100 < 14;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}

/** "6 h 10 m" */
export function longestText(seconds: number): string {
  return seconds === 0 ? "" : duration(seconds * 1000);
}

/** The one sentence that a report is about. */
export function reportTitle(report: ReportView, company: string): string {
  const { month, total, closed, observed } = report;
  const name = monthName(month);
  if (total === null) {
    if (observed === 0) return `We didn’t observe ${monthAndYear(month)}`;
    return `Nothing to report for ${monthAndYear(month)} yet`;
  }
  if (total.not_observed === 100) {
    return `We didn’t observe ${closed ? name : `${name} so far`}`;
  }
  const whose = `${company}${company.endsWith("s") ? "’" : "’s"} partners`;
  return closed
    ? `${whose} were on time ${percentText(total.on_time)} of ${name}`
    : `${whose} have been on time ${percentText(total.on_time)} of ${name} so far`;
}

/** What can be read aloud under it, one part after the other. */
export function reportSentences({ total, partners, closed }: ReportView): Said[] {
  if (total === null) return [];
  const said: Said[] = [];
  const [worst] = partners;
  if (worst !== undefined && worst.longest_overdue_seconds > 0) {
    said.push(
      `${worst.partner_name} was overdue most: `,
      { strong: `${percentText(worst.overdue)} of the month${closed ? "" : " so far"}` },
      `, longest ${worst.longest_overdue_day === null ? "" : `on ${dayText(worst.longest_overdue_day)}, `}${longestText(worst.longest_overdue_seconds)}${causeText(worst)}. `,
    );
  }
  const never = partners.filter(
    (partner) => partner.longest_overdue_seconds === 0 && partner.on_time > 0,
  );
  if (never.length > 0) {
    said.push(
      never.length === partners.length && never.length > 1
        ? "No partner was overdue. "
        : `${namesText(never.map((partner) => partner.partner_name))} ${never.length === 1 ? "was" : "were"} never overdue. `,
    );
  }
  if (total.not_observed > 0) {
    const most = leastObservedDay(partners);
    said.push(
      `We didn’t observe ${percentText(total.not_observed)}${most === null ? "" : `, most on the ${most}`}.`,
    );
  }
  return said;
}

/** "Procore was on time 97.2% of October; overdue most on the 14th, 6 h 10 m, rate limited; we didn’t observe 0.4%." */
export function partnerSentence(partner: ReportPartner, { month, closed }: ReportView): string {
  const { partner_name, on_time, longest_overdue_day, longest_overdue_seconds } = partner;
  const parts = [
    `${partner_name} was on time ${percentText(on_time)} of ${monthName(month)}${closed ? "" : " so far"}`,
  ];
  if (longest_overdue_day !== null) {
    parts.push(
      `overdue most on the ${dayOrdinal(longest_overdue_day)}, ${longestText(longest_overdue_seconds)}${causeText(partner)}`,
    );
  } else if (on_time > 0) parts.push("never overdue");
  if (partner.planned_quiet > 0) parts.push(`planned quiet ${percentText(partner.planned_quiet)}`);
  if (partner.not_observed > 0)
    parts.push(`we didn’t observe ${percentText(partner.not_observed)}`);
  return `${parts.join("; ")}.`;
}

/** The title and what is under it, to be pasted. */
export function summaryText(report: ReportView, company: string): string {
  const sentences = reportSentences(report)
    .map((said) => (typeof said === "string" ? said : said.strong))
    .join("");
  return `${reportTitle(report, company)}.\n${sentences}`.trim();
}

/** What a calendar of days shows, in words. */
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
  if (hidden > 0) parts.push(`${counted(hidden, "day")} not fully observed`);
  return `${monthName(month)} by day: ${parts.join("; ")}`;
}

function causeText({ longest_overdue_cause: cause }: ReportPartner): string {
  return cause === null ? "" : `, ${CAUSES[cause]}`;
}

function namesText(names: readonly string[]): string {
  const more = names.length - NAMES_AT_MOST;
  const others = more > 0 ? [`${more} ${more === 1 ? "other" : "others"}`] : [];
  return listed([...names.slice(0, NAMES_AT_MOST), ...others]);
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
