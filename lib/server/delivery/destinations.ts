import type { PlannedRule } from "@/lib/domain/delivery/rule";
import type { Orm } from "@/lib/server/store/database";
import type { readNotifiedDestinations } from "@/lib/server/store/delivery/notified";
import {
  readOwnRules,
  readPlannedChannels,
  readRules,
  type RuleRow,
} from "@/lib/server/store/delivery/rules";
import { readGrantees, type Grantee } from "@/lib/server/store/people/grantee";
import { followsOf, type Destination } from "./plan-messages";

/** A destination, and the companies that it may be told of. */
export type PlannedDestination = Destination & { mayReceive: (company: string) => boolean };

/**
 * Channels and people with the rules that apply to them; also those without rules that were notified before.
 * @param notified destinations notified of something that may not be over; their rules may be gone
 */
export async function readDestinations(
  orm: Orm,
  notified: Awaited<ReturnType<typeof readNotifiedDestinations>>,
  {
    timeZone,
    mayRead,
    mayHaveAlerts,
  }: {
    /** Of messages to people, and of channels without one. */
    timeZone: string;
    mayRead: (holder: Grantee, company: string) => boolean;
    mayHaveAlerts: (holder: Grantee) => boolean;
  },
): Promise<PlannedDestination[]> {
  const [rules, ownRules, channels] = await Promise.all([
    readRules(orm),
    readOwnRules(orm),
    readPlannedChannels(orm),
  ]);
  const destinations = new Map<string, PlannedDestination>();
  for (const [id, { name: toName, kind, ...channel }] of channels) {
    const own = rules.filter(({ channelIds }) => channelIds.includes(id));
    const destination = `channel:${id}`;
    const wasNotified = notified.some((one) => one.destination === destination);
    if (own.length === 0 && !wasNotified) continue;
    destinations.set(destination, {
      destination,
      to: "channel",
      channelId: id,
      personId: null,
      toName,
      rules: own.map((rule) => plannedRule(rule, null)),
      timeZone: channel.timeZone ?? timeZone,
      follows: followsOf(kind),
      followsFromMs: channel.followsFrom.getTime(),
      mayReceive: () => true,
    });
  }
  const ownDestination = (to: "inbox" | "mail", holder: Grantee, own: readonly PlannedRule[]) => {
    const { id: personId, name: toName } = holder;
    const destination = `${to}:${personId}`;
    const mayReceive = (company: string) => mayRead(holder, company);
    destinations.set(destination, {
      destination,
      to,
      channelId: null,
      personId,
      toName,
      rules: own,
      timeZone,
      follows: "worse",
      followsFromMs: -Infinity,
      mayReceive,
    });
  };
  for (const rule of ownRules) {
    const { own, holder } = rule;
    if (own === null || !mayHaveAlerts(holder)) continue;
    for (const to of ["inbox", "mail"] as const)
      if (own[to])
        ownDestination(to, holder, [plannedRule(rule, own.only_mine ? holder.id : null)]);
  }
  // Recipients who unsubscribed or lost access still learn how it ended.
  const left = notified.filter(({ destination }) => !destinations.has(destination));
  const holders = await readGrantees(
    orm,
    left.flatMap(({ personId }) => personId ?? []),
  );
  for (const { to, personId } of left) {
    const holder = holders.find(({ id }) => id === personId);
    if (to !== "channel" && holder !== undefined) ownDestination(to, holder, []);
  }
  return [...destinations.values()];
}

/** What destinations are sent, and of which companies, as a text that changes with it. */
export function rulesText(
  destinations: readonly PlannedDestination[],
  companies: readonly string[],
): string {
  return JSON.stringify(
    destinations.map(({ destination, rules, timeZone, follows, followsFromMs, mayReceive }) => [
      destination,
      rules,
      timeZone,
      follows,
      followsFromMs,
      companies.filter(mayReceive),
    ]),
  );
}

/** @param onlyFor see `PlannedRule` */
export function plannedRule({ name, rule, since }: RuleRow, onlyFor: string | null): PlannedRule {
  return { ...rule, name, sinceMs: since.getTime(), onlyFor };
}
