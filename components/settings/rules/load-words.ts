import type { AlarmLoadView, MyAlarmLoad } from "@/lib/contracts/alarm-load/alarm-load";
import { count, counted } from "@/lib/domain/words/format";

type Rate = Pick<MyAlarmLoad, "messages" | "per_day">;

/** What messages are counted by: a day, or a period of so many days. */
export type Unit = "day" | { days: number };

/** The unit of a list, by its whole: a day, from one message a day on. */
export function unitOf(whole: Rate, days: number): Unit {
  return whole.per_day >= 1 ? "day" : { days };
}

/** "6 a day", "12 in 30 days", "none". @param unit one for all that is compared */
export function rateText({ messages, per_day: perDay }: Rate, unit: Unit): string {
  if (messages === 0) return "none";
  if (unit !== "day") return `${count(messages)} in ${counted(unit.days, "day")}`;
  return `${perDay === 0 ? RARELY : perDay} a day`;
}

/** Less than what one decimal shows. */
const RARELY = "under 0.1";

/** What people read of how many messages they get. */
export const loadWords = {
  label: "How many alerts you get",
  /** @param top messages about the noisiest feed; null: none is known */
  title: (all: Rate, top: Rate | null, days: number) => {
    if (all.messages === 0) return `No alerts in the past ${counted(days, "day")}`;
    const most =
      top === null || all.messages === 1 ? "" : `; ${rateShort(top, all)} about one feed`;
    return all.per_day >= 1
      ? `${all.per_day} alerts a day${most}`
      : `${counted(all.messages, "alert")} in the past ${counted(days, "day")}${most}`;
  },
  period: (days: number) => `Sent to you in the past ${counted(days, "day")}.`,
  now: (rate: string) => `With your current settings it would have been ${rate}.`,
  noisy: "Most alerts about",
  /** @param rate what the alerts would have been */
  without: (rate: string) => `in planned quiet: ${rate} in all`,
  quieter: "Quieter settings",
  quieterNote: "One change each, checked against the past 30 days.",
  wouldBe: (rate: string) => `would have been ${rate}`,
  apply: "Use",
  applyLabel: (change: string) => `Use: ${change}`,
  find: "Find quieter settings",
  finding: "Checking the past 30 days…",
  notFound: "Couldn’t check the past 30 days. Try again.",
  none: "No single change would have made it much quieter.",
  busy: "Counting your alerts…",
  failed: "Couldn’t count your alerts.",
};

/** Of the same unit as the whole: "4 of them". */
const rateShort = (top: Rate, all: Rate) =>
  `${all.per_day >= 1 ? top.per_day : count(top.messages)} of them`;

/** A change that would be quieter. */
export type Change = MyAlarmLoad["suggestions"][number]["change"];

/** "Only stale and worse", "Only after 15 m", "Only mine", "Nothing from 22:00 to 07:00". */
export function changeText({ from_verdict: from, after_minutes: after, quiet }: Change): string {
  if (from !== undefined) return `Only ${from}${from === "failing" ? "" : " and worse"}`;
  if (after !== undefined) return `Only what lasts ${after === 60 ? "1 h" : `${after} m`}`;
  if (quiet != null) return `Quiet hours from ${quiet.from} to ${quiet.until}`;
  return "Only mine";
}

/** What administrators read: who gets how many. */
export const loadListWords = {
  title: "Alerts per person and channel",
  note: (days: number) => `Sent in the past ${counted(days, "day")}.`,
  to: "To",
  rate: "A day",
  messages: "Messages",
  rarely: RARELY,
  noisiest: "Most about",
  kind: { channel: "channel", person: "person" },
  endpoint: ({ endpoint_key: key, messages }: AlarmLoadView["data"][number]["noisiest"][number]) =>
    `${key}: ${count(messages)}`,
  none: "Nothing has been sent yet.",
  failed: "Couldn’t count messages. Retrying automatically.",
};
