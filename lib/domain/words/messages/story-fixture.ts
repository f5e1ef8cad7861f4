import type { MessageIncident } from "@/lib/domain/delivery/message";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { row } from "@/lib/domain/row-fixture";
import type { SyncAttributes } from "@/lib/domain/sync";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { verdict, type Judgement } from "@/lib/domain/verdict";
import type { IncidentStory } from "./incident-content";
import { ruleFoot } from "./message-foot";

/** Mon 23 Nov 2026, 07:22 in Copenhagen. */
export const WRITTEN_MS = Date.parse("2026-11-23T06:22:00Z");
export const TIME_ZONE = "Europe/Copenhagen";
/** @param minutes before `WRITTEN_MS` */
export const ago = (minutes: number): string =>
  new Date(WRITTEN_MS - minutes * MINUTE_MS).toISOString();

type Member = MessageIncident["members"][number];

/** A member, by default stale since 05:37. */
export function member(key: string, more: Partial<Member> = {}): Member {
  return {
    endpoint_id: key,
    endpoint_key: key,
    verdict: "stale",
    began_at: ago(105),
    joined_at: ago(90),
    ended_at: null,
    ending: null,
    received_at: null,
    ...more,
  };
}

/** An open incident without acknowledgement. */
export function incident(
  members: readonly Member[],
  more: Partial<MessageIncident> = {},
): MessageIncident {
  return {
    id: 40,
    partner_name: "Procore",
    state: "open",
    began_at: ago(105),
    opened_at: ago(90),
    ended_at: null,
    ending: null,
    verdict: "stale",
    worst_verdict: "stale",
    flaps: 0,
    not_observed_since: null,
    acknowledged: null,
    owner: { id: "tom", name: "Tom Berg" },
    members: [...members],
    ...more,
  };
}

/** A feed whose data is this old, judged at `WRITTEN_MS`. @param cadence in minutes, as is `age` */
export function feed(
  age: number,
  cadence: number,
  more: Partial<SyncAttributes> = {},
  failures = 0,
): Judgement {
  const attributes = row({
    last_updated_at: ago(age),
    frequency_minutes: cadence,
    next_sync_at: ago(-13),
    last_sync_started_at: ago(9),
    last_sync_finished_at: ago(8),
    ...more,
  });
  const isFailed = attributes.last_sync_status === "failed";
  const known = {
    ...NOTHING_KNOWN,
    // One before them completed.
    typical_duration_seconds: failures === 0 ? null : 0,
    failures_in_a_row: failures,
    last_finished_status: isFailed ? "failed" : null,
    last_finished_at: isFailed ? attributes.last_sync_finished_at : null,
  };
  return verdict(attributes, known, WRITTEN_MS);
}

const LIMITED = { last_sync_status: "rate_limited" };
const ONE_LATE: Partial<Member> = { verdict: "late", began_at: ago(40) };
const PARAGRAPH =
  "Two of your nine Procore feeds are behind: Daily logs and Submittals. What you see there is from 04:22 CET; changes since then haven’t come through yet. The next attempts are at 07:35.";

/** An incident of two feeds, one stale and one late, as the last check found them. */
export const STORY: IncidentStory = {
  tells: "opened",
  incident: incident([member("daily_logs"), member("submittals", ONE_LATE)]),
  company: "Northgate Builders",
  news: [],
  feeds: new Map([
    ["daily_logs", feed(180, 60, LIMITED)],
    ["submittals", feed(100, 60, LIMITED)],
    ...["rfis", "drawings", "models", "photos", "punch_items", "budgets", "commitments"].map(
      (key) => [key, feed(20, 60)] as const,
    ),
  ]),
  checkedMs: WRITTEN_MS,
  lastData: new Map([
    ["daily_logs", Date.parse(ago(180))],
    ["submittals", Date.parse(ago(100))],
  ]),
  unseenMs: 0,
  paragraph: PARAGRAPH,
  atMs: WRITTEN_MS,
  writtenMs: WRITTEN_MS,
  timeZone: TIME_ZONE,
  foot: ruleFoot(
    [{ name: "Northgate and Harbour, late and worse" }],
    { name: "#sync-alerts", isOwn: false },
    "https://plumbline.example",
  ),
};
