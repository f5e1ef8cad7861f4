import { SHOWS, type Shows } from "@/lib/contracts/links";
import { comparison } from "@/lib/domain/words/then-and-now";

/** In the order of `SHOWS`. */
const NOTES = [
  "This is a stored copy. It doesn’t change.",
  "This updates live while this page is open.",
  "“Then” is a stored copy and doesn’t change. “Now” updates live while this page is open.",
];

export const page = {
  ...comparison,
  title: (partner: string, sharedBy: string) => `${partner}, shared by ${sharedBy}`,
  incidentTitle: (partner: string, sharedBy: string) =>
    `${partner}, an incident shared by ${sharedBy}`,
  ofIncident: (company: string, partner: string) => `One incident of ${partner} at ${company}.`,
  since: (zone: string) => `Trouble began, ${zone}`,
  howEnded: (zone: string) => `How it ended, ${zone}`,
  /** @param why "data received" */
  over: (time: string, why: string) => `Ended ${time}: ${why}`,
  notListed: "no longer listed",
  notYetPart: "–",
  hasEnded: "This incident has ended. This page doesn’t change.",
  thenEnded: "“Then” is a stored copy. This incident has ended, so this page doesn’t change.",
  what: (company: string, partner: string) => `${partner} at ${company}.`,
  /** @param ends a moment with its zone */
  sharedBy: (name: string, ends: string) => `Shared by ${name}, expires ${ends}.`,
  /** @param age "1 h 34 m" */
  old: (age: string) => `${age} old`,
  /** Below a table with a column of changes. */
  edge: "A bold edge marks what has changed.",
  /** Below a table with bars. */
  line: "A bar is the age of the data; the upright line is when new data is due.",
  /** @param age of the data @param every how often it is expected */
  bar: (age: string, every: string) => `${age} old, expected every ${every}`,
  /** @param how "by 15:00, at risk" */
  promised: (how: string) => `promised ${how}`,
  partnerData: "Partner data",
  lastCheck: "Last check",
  never: "not yet",
  syncing: "syncing",
  stuck: "stuck",
  table: "Feeds",
  delayed: (time: string) => `Our checks are delayed. The last one was ${time}.`,
  blind: (time: string) =>
    `We can’t check right now, so nothing here is current. Statuses are those of our last check, ${time}.`,
  lostConnection: "Lost connection",
  /**
   * For when the reader's browser gets no responses, which fills in `{at}`, "14:32", and `{age}`, "6 m".
   * @param time of the last check; null: there was none
   */
  lost: (time: string | null) =>
    `Lost connection at {at}. ${time === null ? "" : `Statuses are {age} old (last check ${time}). `}Retrying automatically.`,
  neverSeen: "We haven’t seen this data yet.",
  noLonger: (partner: string) => `${partner} is no longer listed.`,
  /** @param shared a moment: "at 14:02", and when the last check before it was */
  thenBlind: (shared: string, last: string) =>
    `This was shared ${shared}, when we couldn’t check. “Then” is our last check before, ${last}.`,
  thenDelayed: (last: string) =>
    `Our checks were delayed when this was shared. The last one was ${last}.`,
  noteOf: (shows: Shows) => NOTES[SHOWS.indexOf(shows)] ?? "",
};

export const ended = {
  title: "This link is no longer active",
  expired: (day: string) => `This link expired on ${day}`,
  revoked: (day: string) => `This link was revoked on ${day}`,
  paused: "This link isn’t available",
  shared: (name: string, day: string) => `${name} shared it on ${day}.`,
  why: {
    expired: "Share links expire after a set time.",
    revoked: "It shows nothing anymore.",
    paused: "It shows nothing right now.",
  },
  ask: (name: string) => `Ask ${name} for a new link.`,
  reply: "Reply to the message this link came in.",
  account: "Do you have an account?",
  signIn: "Sign in",
  toSee: "to see live data.",
};
