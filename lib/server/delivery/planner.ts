import { companyName, type CompanyName } from "@/lib/domain/companies/company-name";
import type { Blindness } from "@/lib/domain/delivery/blindness";
import type { CarriedIncidents } from "@/lib/domain/delivery/incident-parts";
import type { RecordedFleet } from "@/lib/domain/delivery/plan-fleet";
import type { WrittenWarning } from "@/lib/domain/delivery/plan-promises";
import type { Waits } from "@/lib/domain/delivery/spreading";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Database, Writer } from "@/lib/server/store/database";
import { readObserved } from "@/lib/server/store/delivery/delivery-facts";
import {
  readFleetsVersion,
  readHostsTold,
  readLateIncidents,
  readRecordedFleets,
  readWrittenGroups,
  type WrittenGroups,
} from "@/lib/server/store/delivery/group-facts";
import { readNotifiedDestinations } from "@/lib/server/store/delivery/notified";
import { enqueue, type NewDelivery } from "@/lib/server/store/delivery/outbox";
import { NO_BUDGET } from "@/lib/server/store/most-rows";
import type { Grantee } from "@/lib/server/store/people/grantee";
import { readDestinations, rulesText, type PlannedDestination } from "./destinations";
import { readFeeds } from "./message-context";
import { planBriefs } from "./plan-briefs";
import { planCauses, waitsOf, type Causes } from "./plan-causes";
import { planMessages, planPromiseMessages, written, type Draft } from "./plan-messages";
import { readPlannedCompany, type PlannedCompany } from "./message-context";
import { createUnsettled } from "./looks/unsettled";
import { blindnessesOf, isBlindNow, type Visibility } from "@/lib/domain/delivery/visibility";

export type PlannerOptions = {
  database: Database;
  clock: Clock;
  /** The connected companies; `host`: scheme, name and port of the API. */
  companies: () => readonly (CompanyName & { timeZone?: string; host?: string })[];
  /** Null: never seen. */
  visibilityOf: (company: string) => Visibility | null;
  mayRead: (holder: Grantee, company: string) => boolean;
  /** Whether a person may have personal alerts. */
  mayHaveAlerts: (holder: Grantee) => boolean;
  appUrl: string;
  timeZone: string;
  /** How long an opening waits, milliseconds. */
  waitMs: number;
  /** Called and awaited before messages are written, and after. */
  onStep: (step: "planned" | "written") => void | Promise<void>;
};

/** How long past events are still considered, so that an outbox resuming after a stop reports them. */
const PAST_MS = 3 * DAY_MS;
/** How long after its end a fleet incident is planned with each observation of its companies. */
const SETTLED_MS = HOUR_MS;

/** Between looks at all companies, whatever has changed. */
const WHOLE_MS = 5 * MINUTE_MS;

/** Trouble of a partner shows everywhere within this many checks, as far as openings wait for it. */
const SPREAD_POLLS = 2;
const MOST_SPREAD_MS = 2 * MINUTE_MS;

/** How long openings of a partner's incidents wait for others. @param rhythms seconds between checks */
export const spreadOf = (rhythms: readonly number[]) =>
  Math.min(MOST_SPREAD_MS, SPREAD_POLLS * 1_000 * Math.max(0, ...rhythms));

const NONE_WRITTEN: ReadonlyMap<string, WrittenWarning> = new Map();

/** One look: what all companies are planned with. */
type Look = {
  nowMs: number;
  ledSinceMs: number;
  destinations: readonly PlannedDestination[];
  written: WrittenGroups;
  /** See `waitsOf`; by destination. */
  waits: ReadonlyMap<string, Waits>;
};

/**
 * Derives due messages from the record and from what was written before, and writes those that are missing. What it
 * remembers between two calls only saves reading: a successor without it finds the same messages due.
 */
export function createPlanner(options: PlannerOptions): {
  /** @param given.isDue whether to plan what became due as time passed, and the briefs */
  plan(writer: Writer, given: { ledSinceMs: number; isDue: boolean }): Promise<void>;
} {
  const { database, clock, companies, visibilityOf, waitMs } = options;
  const { orm } = database;
  const unsettled = createUnsettled(options);
  /** Destinations notified of something that may not be over; their rules may be gone. */
  let notified: Awaited<ReturnType<typeof readNotifiedDestinations>> = [];
  /** The observation that each company was last planned with. */
  const plannedUpTo = new Map<string, number | undefined>();
  /** When an opening of a company has waited, on our clock. */
  const waiting = new Map<string, number>();
  let fleets: { version: string; all: RecordedFleet[] } = { version: "", all: [] };
  /** Companies in messages about several, as of an observation. */
  let held = new Map<string, { observedMs: number | undefined; company: PlannedCompany }>();
  /** When the next message about several is due. */
  let nextMs = Infinity;
  /** Companies that can't be seen, or whose host a message said so of. */
  let ofHosts: ReadonlySet<string> = new Set();
  /** What fleet incidents report, by destination and fleet incident. */
  const found = new Map<string, Map<string, CarriedIncidents>>();
  /** Whether a rule sends messages about promises. */
  let isPromised = false;
  /** The last look at all companies; -Infinity: none, or what was done since may be incomplete. */
  let whole = { atMs: -Infinity, ledSinceMs: NaN, rules: "" };

  async function plan(
    writer: Writer,
    { ledSinceMs, isDue }: { ledSinceMs: number; isDue: boolean },
  ): Promise<void> {
    const nowMs = clock.nowMs();
    const observed = await readObserved(orm);
    const version = await readFleetsVersion(orm);
    const connected = companies().map(({ slug }) => slug);
    const moved = connected.filter(
      (slug) =>
        observed.get(slug) !== plannedUpTo.get(slug) || (waiting.get(slug) ?? Infinity) <= nowMs,
    );
    const isOther = version !== fleets.version || nextMs <= nowMs;
    if (moved.length === 0 && !isOther && !isDue) return;
    if (isDue) notified = await readNotifiedDestinations(orm, nowMs);
    const destinations = await readDestinations(orm, notified, options);
    const before = whole;
    const rules = isDue ? rulesText(destinations) : before.rules;
    const isWhole =
      isDue &&
      (rules !== before.rules ||
        ledSinceMs !== before.ledSinceMs ||
        clock.monotonicMs() - before.atMs >= WHOLE_MS);
    const others = isDue ? await unsettled.among(connected, observed) : [];
    const changed = isWhole ? connected : [...new Set([...moved, ...others])];
    const isNew = isWhole || version !== fleets.version;
    if (isDue) whole = { ...before, atMs: -Infinity };
    isPromised = destinations.some((one) =>
      one.rules.some(({ promises }) => promises === "missed" || promises === "at_risk"),
    );
    if (destinations.length > 0) {
      if (isNew)
        fleets = { version, all: await readRecordedFleets(orm, nowMs - PAST_MS, NO_BUDGET) };
      if (isDue) ofHosts = await companiesOfHosts(observed, nowMs);
      const late = await readLateIncidents(orm, nowMs - 2 * MOST_SPREAD_MS);
      const spreadMs = spreadOf(connected.map((slug) => visibilityOf(slug)?.rhythmSeconds ?? 0));
      const look = {
        nowMs,
        ledSinceMs,
        destinations,
        written: await readWrittenGroups(orm, nowMs - PAST_MS),
        waits: new Map(
          destinations.map((one) => [one.destination, waitsOf(one, late, { waitMs, spreadMs })]),
        ),
      };
      await planAll(writer, look, { observed, changed, isWhole, isAnyway: isNew || isOther });
    }
    for (const slug of changed) plannedUpTo.set(slug, observed.get(slug));
    if (!isDue) return;
    await write(writer, await planBriefs(options, destinations));
    whole = isWhole ? { atMs: clock.monotonicMs(), ledSinceMs, rules } : before;
  }

  async function planAll(
    writer: Writer,
    look: Look,
    {
      observed,
      changed,
      isWhole,
      isAnyway,
    }: {
      observed: ReadonlyMap<string, number>;
      changed: readonly string[];
      isWhole: boolean;
      isAnyway: boolean;
    },
  ): Promise<void> {
    const connected = new Map(companies().map((one) => [one.slug, one]));
    const active = isWhole
      ? fleets.all
      : fleets.all.filter(
          ({ closedMs }) => closedMs === null || closedMs > look.nowMs - SETTLED_MS,
        );
    const members = new Set(active.flatMap((fleet) => fleet.members.map(({ company }) => company)));
    // All of them or none: some of a group's companies would look like a group that is over.
    const several = new Set([...members, ...ofHosts]);
    const isInvolved = isAnyway || changed.some((slug) => several.has(slug));
    const fresh = new Set(changed);
    const before = held;
    if (isInvolved) held = new Map();
    for (const slug of isInvolved ? several : []) {
      const about = connected.get(slug);
      if (about === undefined) continue;
      const observedMs = observed.get(slug);
      const known = isWhole ? undefined : before.get(slug);
      const isSame = known !== undefined && known.observedMs === observedMs && !fresh.has(slug);
      held.set(slug, {
        observedMs,
        company: isSame ? known.company : await read(about, look),
      });
    }
    const group = new Map(
      isInvolved ? [...held].map(([slug, { company }]) => [slug, company]) : [],
    );
    const causes = new Map<string, Causes>();
    if (isInvolved) {
      nextMs = Infinity;
      for (const destination of look.destinations) {
        const planned = causesFor(destination, group, active, look);
        causes.set(destination.destination, planned);
        if (planned.nextMs > look.nowMs) nextMs = Math.min(nextMs, planned.nextMs);
        const known = isWhole ? undefined : found.get(destination.destination);
        found.set(destination.destination, new Map([...(known ?? []), ...planned.fleets]));
      }
    }
    const together = [...causes.values()].flatMap(({ drafts }) => drafts);
    // What a message about several includes must not be followed by the opening that comes before it.
    const following = together.flatMap(({ company }) => company ?? []);
    for (const slug of new Set([...changed, ...following])) {
      const about = connected.get(slug);
      if (about === undefined) continue;
      if (!look.destinations.some(({ mayReceive }) => mayReceive(slug))) {
        waiting.delete(slug);
        continue;
      }
      const company = group.get(slug) ?? (await read(about, look));
      await planOne(writer, company, look, group.has(slug) ? causes : null);
    }
    await writeDrafts(writer, together, group);
  }

  /** @param causes what was planned about several, by destination; null: nothing that the company is in */
  async function planOne(
    writer: Writer,
    planned: PlannedCompany,
    look: Look,
    causes: ReadonlyMap<string, Causes> | null,
  ): Promise<void> {
    const { context, visibility } = planned;
    const { slug } = context.company;
    const offsetMs = visibilityOf(slug)?.offsetMs ?? 0;
    const own = new Map([[slug, planned]]);
    const knownIds = new Set([...planned.notified.ids, ...visibility.map(({ id }) => id)]);
    let longestMs = waitMs;
    const drafts = look.destinations.flatMap((destination): Draft[] => {
      if (!destination.mayReceive(slug)) return [];
      const known = causes?.get(destination.destination);
      const several = known ?? causesFor(destination, own, [], look);
      const ofCauses = several.of(slug);
      longestMs = Math.max(longestMs, ...ofCauses.longerWaits.values());
      const unseen = blindnesses(planned, destination, look);
      const common = { nowMs: look.nowMs + offsetMs, waitMs };
      const messages = [
        ...planMessages(destination, context, {
          ...ofCauses,
          ...common,
          blindnesses: unseen,
          isKnown: (id) => knownIds.has(id),
          followed: planned.notified.followed.get(destination.destination),
        }),
        ...planPromiseMessages(destination, context, {
          ...common,
          isBlind: isBlindNow(
            visibilityOf(slug),
            context.record.observedMs ?? -Infinity,
            look.nowMs,
          ),
          written: planned.promised.warnings.get(destination.destination) ?? NONE_WRITTEN,
          isKnown: (id) => planned.promised.ids.has(id),
        }),
      ];
      return known === undefined ? [...messages, ...several.drafts] : messages;
    });
    wait(slug, planned, { offsetMs, longestMs });
    unsettled.note(slug, context.promises);
    await writeDrafts(writer, drafts, own);
  }

  function causesFor(
    destination: PlannedDestination,
    group: ReadonlyMap<string, PlannedCompany>,
    active: readonly RecordedFleet[],
    look: Look,
  ): Causes {
    const visible = new Map([...group].filter(([slug]) => destination.mayReceive(slug)));
    const planned = new Set(active.map(({ id }) => id));
    return planCauses(destination, visible, {
      fleets: active,
      settled: [...(found.get(destination.destination) ?? [])].flatMap(([id, carried]) =>
        planned.has(id) ? [] : [carried],
      ),
      blindnesses: (slug) => {
        const company = visible.get(slug);
        return company === undefined ? [] : blindnesses(company, destination, look);
      },
      written: look.written.get(destination.destination) ?? new Map(),
      waits: look.waits.get(destination.destination) ?? new Map(),
      waitMs,
      nowMs: look.nowMs,
    });
  }

  function blindnesses(
    { context, visibility }: PlannedCompany,
    { destination }: PlannedDestination,
    { nowMs, ledSinceMs }: Look,
  ): Blindness[] {
    return blindnessesOf(
      context.record,
      visibility.filter((one) => one.destination === destination),
      {
        seen: visibilityOf(context.company.slug),
        nowMs,
        isLedLong: (ms) => clock.monotonicMs() - ledSinceMs > ms,
      },
    );
  }

  /** Remembers when the company's openings have waited. */
  function wait(
    slug: string,
    { context }: PlannedCompany,
    { offsetMs, longestMs }: { offsetMs: number; longestMs: number },
  ): void {
    const nowMs = clock.nowMs();
    const instants = context.record.incidents.flatMap(({ timeline }) => {
      const openedMs = timeline.phases[0]?.fromMs;
      if (openedMs === undefined) return [];
      return [waitMs, longestMs]
        .map((ms) => openedMs + ms - offsetMs)
        .filter((untilMs) => untilMs > nowMs);
    });
    if (instants.length === 0) waiting.delete(slug);
    else waiting.set(slug, Math.min(...instants));
  }

  function read(
    { host, ...company }: ReturnType<PlannerOptions["companies"]>[number],
    { nowMs, destinations }: Pick<Look, "nowMs" | "destinations">,
  ): Promise<PlannedCompany> {
    const { slug } = company;
    const seen = visibilityOf(slug);
    return readPlannedCompany(
      orm,
      {
        company: {
          ...companyName(company),
          ...(company.timeZone !== undefined && { timeZone: company.timeZone }),
        },
        appUrl: options.appUrl,
        timeZone: options.timeZone,
        because: seen?.because ?? null,
        sinceMs: nowMs - PAST_MS,
      },
      {
        host: host ?? null,
        reason: seen?.reason ?? null,
        rhythmMs: (seen?.rhythmSeconds ?? 0) * 1_000,
        live: {
          nowMs,
          visibilitySinceMs: nowMs - 30 * PAST_MS,
          destinations: destinations
            .filter(({ mayReceive }) => mayReceive(slug))
            .map(({ destination }) => destination),
        },
        isPromised,
      },
      NO_BUDGET,
    );
  }

  async function companiesOfHosts(
    observed: ReadonlyMap<string, number>,
    nowMs: number,
  ): Promise<ReadonlySet<string>> {
    const told = await readHostsTold(orm);
    const ofHost = companies().flatMap(({ slug, host }) => {
      const observedMs = observed.get(slug);
      const isBlind = observedMs !== undefined && isBlindNow(visibilityOf(slug), observedMs, nowMs);
      return host !== undefined && (isBlind || told.has(host)) ? slug : [];
    });
    return new Set(ofHost);
  }

  async function writeDrafts(
    writer: Writer,
    drafts: readonly Draft[],
    from: ReadonlyMap<string, PlannedCompany>,
  ): Promise<void> {
    if (drafts.length === 0) return;
    const partners = new Map<string, string[]>();
    for (const { company, partner } of drafts)
      if (company !== null && partner !== null)
        partners.set(company, [...(partners.get(company) ?? []), partner]);
    const rows: NewDelivery[] = [];
    const feeds = new Map<string, Awaited<ReturnType<typeof readFeeds>>>();
    for (const [slug, names] of partners) {
      const observedMs = from.get(slug)?.context.record.observedMs ?? null;
      feeds.set(slug, await readFeeds(orm, slug, names, observedMs));
    }
    for (const draft of drafts) rows.push(written(draft, feeds.get(draft.company ?? "") ?? null));
    await write(writer, rows);
    for (const { company } of drafts) if (company !== null) held.delete(company);
  }

  async function write(writer: Writer, rows: readonly NewDelivery[]): Promise<void> {
    if (rows.length === 0) return;
    await options.onStep("planned");
    await writer.orm.transaction((tx) => enqueue(tx, rows, clock.nowMs()));
    await options.onStep("written");
  }

  return { plan };
}
