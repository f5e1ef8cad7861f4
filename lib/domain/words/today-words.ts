import type { TodayCounts, UnseenCompany } from "@/lib/domain/today/today";
import { countedMs, restsOf } from "@/lib/domain/learned-week/rest";
import { instantMs } from "@/lib/domain/time/instant";
import type { TodayLine } from "@/lib/domain/today/lines";
import { counted, count, duration } from "./format";
import { asOfText } from "./shared-words";

/**
 * What is wrong, as one dated statement for a chat: "Plumbline · today: 13 feeds of 4 customers are behind, worst
 * Procore at Northgate Builders, 2 h 10 m overdue; no one is on 6; we can’t see Tarn Airports, as of Tue 14:20 UTC".
 * @param subject start of the sentence
 * @param given.lines worst first
 * @param given.saidMs the instant described, epoch milliseconds on our clock; `nowMs`: when it is read
 * @param given.offsets the API's clock minus ours, milliseconds, by slug
 * @param given.isBlind that instant is the last response of our server
 */
export function todayStatement(
  subject: string,
  {
    counts,
    lines,
    unseen,
    offsets,
    saidMs,
    nowMs,
    timeZone,
    isBlind,
  }: {
    counts: TodayCounts;
    lines: readonly Pick<
      TodayLine,
      "kind" | "partner_name" | "overdue_since" | "learned_week" | "members"
    >[];
    unseen: readonly UnseenCompany[];
    offsets: Readonly<Record<string, number>>;
    saidMs: number;
    nowMs: number;
    timeZone: string;
    isBlind: boolean;
  },
): string {
  const [worst] = lines;
  const { behind, companies_behind: companies } = counts;
  const parts = [
    behind === 0
      ? noneBehindText(counts, isBlind)
      : `${counted(behind, "feed")} of ${counted(companies, "customer")} ${verb(behind, isBlind)} behind${worst === undefined ? "" : worstText(worst, { saidMs, offsets })}`,
    counts.unattended === 0
      ? ""
      : `no one ${isBlind ? "was" : "is"} on ${behind === 1 ? "it" : count(counts.unattended)}`,
    unseenText(unseen),
    counts.cannot_judge === 0
      ? ""
      : `${counted(counts.cannot_judge, "feed")} ${isBlind ? "couldn’t" : "can’t"} be judged`,
  ];
  const asOf = asOfText(saidMs, nowMs, timeZone);
  return `${subject}: ${parts.filter(Boolean).join("; ")}, ${asOf}${isBlind ? ", not checked since" : ""}`;
}

/** Of feeds that can't be judged, nothing is claimed. */
function noneBehindText(
  { endpoints, judged, cannot_judge: unknown }: TodayCounts,
  isPast: boolean,
): string {
  if (judged === 0 && endpoints > 0)
    return unknown === endpoints ? "" : `no feed that we see ${isPast ? "could" : "can"} be judged`;
  const which =
    unknown === 0
      ? `${counted(endpoints, "feed")} that we see`
      : `the ${counted(judged, "feed")} that we can judge`;
  return `none of ${which} ${isPast ? "was" : "is"} behind`;
}

function verb(amount: number, isPast: boolean): string {
  if (isPast) return amount === 1 ? "was" : "were";
  return amount === 1 ? "is" : "are";
}

function worstText(
  {
    kind,
    partner_name: partner,
    overdue_since: due,
    learned_week: week,
    members,
  }: Pick<TodayLine, "kind" | "partner_name" | "overdue_since" | "learned_week" | "members">,
  { saidMs, offsets }: { saidMs: number; offsets: Readonly<Record<string, number>> },
): string {
  const [first] = members;
  if (first === undefined) return "";
  const dueMs = instantMs(due);
  const apiMs = saidMs + (offsets[first.company.slug] ?? 0);
  const overdueMs = dueMs === null ? null : countedMs(restsOf(week, apiMs), dueMs, apiMs);
  const overdue = overdueMs === null ? "" : `, ${duration(overdueMs)} overdue`;
  const where = kind === "partner" ? "" : ` at ${first.company.name}`;
  return `, worst ${partner}${where}${overdue}`;
}

function unseenText([first, ...others]: readonly UnseenCompany[]): string {
  if (first === undefined) return "";
  return others.length === 0
    ? `we can’t see ${first.company.name}`
    : `we can’t see ${counted(others.length + 1, "customer")}`;
}
