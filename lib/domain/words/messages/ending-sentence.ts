import { MAX_ITEMS } from "@/lib/domain/delivery/message-content";
import type { MessageIncident } from "@/lib/domain/delivery/message";
import { MEMBER_ENDINGS, type MemberEnding } from "@/lib/domain/incidents/incident";
import { listed } from "@/lib/domain/text/listed";
import type { ReadingClock } from "@/lib/domain/words/customer/reading-clock";
import { counted } from "@/lib/domain/words/format";
import { spokenEnding, type Spoken } from "@/lib/domain/words/incident-words";

/** When each endpoint last received data, by id, epoch milliseconds; null: never as far as we know. */
export type LastData = ReadonlyMap<string, number | null>;

type Member = MessageIncident["members"][number];

/**
 * How the trouble of each member ended: "rfis and daily_logs received data; submittals was paused at the source and has
 * had no data since Mon 23 Nov, 14:02." Up to six that received data are named; all others are, with their last data.
 */
export function endingSentence(
  members: readonly Member[],
  lastData: LastData,
  clock: ReadingClock,
): string {
  const clauses = MEMBER_ENDINGS.flatMap((ending) => {
    const ended = members.filter((member) => member.ending === ending);
    if (ended.length === 0) return [];
    return ending === "data_received" || ending === "run_completed"
      ? [goodClause(ending, ended, clock)]
      : ended.map(
          (member) =>
            `${member.endpoint_key} ${otherClause(spokenEnding(ending, member.is_resting), lastData.get(member.endpoint_id) ?? null, clock)}`,
        );
  });
  return clauses.length === 0 ? "" : `${clauses.join("; ")}.`;
}

function goodClause(
  ending: "data_received" | "run_completed",
  ended: readonly Member[],
  clock: ReadingClock,
): string {
  const more = ended.length - MAX_ITEMS;
  const names = ended.slice(0, MAX_ITEMS).map((member) => nameWithTime(member, clock));
  const subject = listed(more > 0 ? [...names, counted(more, "more feed")] : names);
  return ending === "data_received"
    ? `${subject} received data`
    : `${subject} completed a run, with data within schedule`;
}

/** When data from before the trouble, which the API reported late, was received; null: it isn't what ended the trouble. */
export function reportedLateMs({ received_at: received, began_at: began }: Member): number | null {
  return received !== null && Date.parse(received) < Date.parse(began)
    ? Date.parse(received)
    : null;
}

function nameWithTime(member: Member, clock: ReadingClock): string {
  const { endpoint_key: key } = member;
  const lateMs = reportedLateMs(member);
  return lateMs === null ? key : `${key} (data from ${clock.at(lateMs)}, reported late)`;
}

function otherClause(
  ending: Spoken<Exclude<MemberEnding, "data_received" | "run_completed">>,
  dataMs: number | null,
  clock: ReadingClock,
): string {
  const none =
    dataMs === null ? "has had no data" : `has had no data since ${clock.passedBy(dataMs)}`;
  switch (ending) {
    case "paused":
      return `was paused at the source and ${none}`;
    case "removed":
      return `is no longer in the API and ${none}`;
    case "became_webhook":
      return "is now sent by webhook, without a schedule";
    case "expected":
      return `is in a planned quiet time and ${none}`;
    case "schedule_changed":
      return `has a new schedule and ${none}`;
    case "resting":
      return `rests at this time of the week, as learned, and ${none}`;
    case "eased":
      return `is no longer behind, but ${none}`;
  }
}
