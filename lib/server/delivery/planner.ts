import type { WrittenWarning } from "@/lib/domain/delivery/plan-promises";
import { isBlindNow } from "@/lib/domain/delivery/visibility";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Writer } from "@/lib/server/store/database";
import { readLastChecks, readMarks } from "@/lib/server/store/delivery/delivery-facts";
import { readFleetsVersion } from "@/lib/server/store/delivery/group-facts";
import { readNotifiedDestinations } from "@/lib/server/store/delivery/notified";
import { enqueue, type NewDelivery } from "@/lib/server/store/delivery/outbox";
import type { Database } from "@/lib/server/store/database";
import type { Grantee } from "@/lib/server/store/people/grantee";
import { endsAllWork } from "@/lib/server/store/fence";
import { readDestinations, rulesText } from "./destinations";
import { blindnessesIn, readForLook, readLook, type Look, type LookOptions } from "./look";
import { createDueCompanies, NOTHING_DUE } from "./looks/due-companies";
import { createSeveral } from "./plan-several";
import { createUnsettled } from "./looks/unsettled";
import { readFeeds, type PlannedCompany } from "./message-context";
import { planBriefs } from "./plan-briefs";
import type { Causes } from "./plan-causes";
import { planMessages, planPromiseMessages, written, type Draft } from "./plan-messages";

export type PlannerOptions = LookOptions & {
  database: Database;
  mayRead: (holder: Grantee, company: string) => boolean;
  /** Whether a person may have personal alerts. */
  mayHaveAlerts: (holder: Grantee) => boolean;
  /** Called and awaited before messages are written, and after. */
  onStep: (step: "planned" | "written") => void | Promise<void>;
};

/** Companies whose messages couldn't be planned, and briefs that couldn't be written, by id, and why. */
type PlanFailures = {
  companies: ReadonlyMap<string, unknown>;
  briefs: ReadonlyMap<string, unknown>;
};

/** Between looks at all companies, whatever has changed. */
const WHOLE_MS = 5 * MINUTE_MS;

const NONE_WRITTEN: ReadonlyMap<string, WrittenWarning> = new Map();

/**
 * Derives due messages from the record and from what was written before, and writes those that are missing. What it
 * remembers between two calls only saves reading: a successor without it finds the same messages due.
 */
export function createPlanner(options: PlannerOptions): {
  /**
   * @param given.isDue whether to plan what became due as time passed, and the briefs
   * @returns what failed, which is tried again when `isDue`
   * @throws when messages of no company can be planned
   */
  plan(writer: Writer, given: { ledSinceMs: number; isDue: boolean }): Promise<PlanFailures>;
} {
  const { database, clock, companies, visibilityOf, waitMs } = options;
  const { orm } = database;
  const unsettled = createUnsettled(options);
  const dueCompanies = createDueCompanies();
  const several = createSeveral(options);
  /** Destinations notified of something that may not be over; their rules may be gone. */
  let notified: Awaited<ReturnType<typeof readNotifiedDestinations>> = [];
  /** The last look at all companies; null: none, or what was done since may be incomplete. */
  let whole: { atMs: number; ledSinceMs: number; rules: string } | null = null;
  const failed = new Map<string, unknown>();
  let failures: PlanFailures = { companies: failed, briefs: new Map() };

  async function plan(
    writer: Writer,
    { ledSinceMs, isDue }: { ledSinceMs: number; isDue: boolean },
  ): Promise<PlanFailures> {
    const nowMs = clock.nowMs();
    const connected = companies().map(({ slug }) => slug);
    const marks = isDue ? await readMarks(orm) : null;
    const checks = await readLastChecks(orm);
    const version = await readFleetsVersion(orm);
    const checked = dueCompanies.due(connected, checks, nowMs);
    const isSeveralDue = several.isNew(version) || several.isDue(nowMs);
    if (checked.length === 0 && !isSeveralDue && !isDue) return failures;
    if (isDue) notified = await readNotifiedDestinations(orm, nowMs);
    const destinations = await readDestinations(orm, notified, options);
    const before = whole;
    const rules = isDue ? rulesText(destinations, connected) : "";
    const isWhole =
      isDue &&
      (before === null ||
        rules !== before.rules ||
        ledSinceMs !== before.ledSinceMs ||
        clock.monotonicMs() - before.atMs >= WHOLE_MS);
    const others =
      marks === null ? [] : [...unsettled.among(connected, marks, checks), ...failed.keys()];
    const changed = isWhole ? connected : [...new Set([...checked, ...others])];
    if (isDue) whole = null;
    if (destinations.length === 0) {
      for (const slug of changed) dueCompanies.wait(slug, NOTHING_DUE);
      failed.clear();
    } else {
      const observed = new Map([...checks].map(([slug, { observedMs }]) => [slug, observedMs]));
      const given = { nowMs, ledSinceMs, observed, destinations, isWhole };
      const look = await readLook(options, given);
      const isAnyway = isWhole || isSeveralDue;
      await planAll(writer, look, { version, changed, isAnyway, isHostsDue: isDue });
    }
    dueCompanies.planned(changed, checks);
    several.done(version);
    if (!isDue) return failures;
    whole = isWhole ? { atMs: clock.monotonicMs(), ledSinceMs, rules } : before;
    const briefs = await planBriefs(options, destinations);
    failures = { companies: failed, briefs: briefs.failed };
    await write(writer, briefs.rows);
    return failures;
  }

  async function planAll(
    writer: Writer,
    look: Look,
    given: Parameters<typeof several.plan>[1],
  ): Promise<void> {
    const connected = new Map(companies().map((one) => [one.slug, one]));
    const { companies: group, causes, unreadable } = await several.plan(look, given);
    for (const [slug, error] of unreadable) failed.set(slug, error);
    const together = [...causes.values()].flatMap(({ drafts }) => drafts);
    // What a message about several includes must not be followed by the opening that comes before it.
    const following = together.flatMap(({ company }) => company ?? []);
    // A company that a fleet incident leaves is told of by its own messages.
    const members = several.isNew(given.version) ? [...group.keys()] : [];
    for (const slug of new Set([...given.changed, ...following, ...members])) {
      if (unreadable.has(slug)) continue;
      failed.delete(slug);
      const about = connected.get(slug);
      if (about === undefined) continue;
      if (!look.destinations.some(({ mayReceive }) => mayReceive(slug))) {
        dueCompanies.wait(slug, NOTHING_DUE);
        continue;
      }
      try {
        const company = group.get(slug) ?? (await readForLook(options, about, look));
        await planOne(writer, company, look, group.has(slug) ? causes : null);
      } catch (error) {
        // An error that one company causes must not silence the others.
        if (endsAllWork(error)) throw error;
        failed.set(slug, error);
        dueCompanies.wait(slug, NOTHING_DUE);
      }
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
    const { context } = planned;
    const { slug } = context.company;
    const offsetMs = visibilityOf(slug)?.offsetMs ?? 0;
    let longestMs = waitMs;
    let fromMs = Infinity;
    const drafts = look.destinations.flatMap((destination): Draft[] => {
      if (!destination.mayReceive(slug)) return [];
      const known = causes?.get(destination.destination);
      const ofSeveral = known ?? several.planAlone(destination, planned, look);
      const ofCauses = ofSeveral.of(slug);
      longestMs = Math.max(longestMs, ...ofCauses.longerWaits.values());
      const common = { nowMs: look.nowMs + offsetMs, waitMs };
      const blindnesses = blindnessesIn(options, planned, destination, look);
      // Whether it can be seen again shows with the next observation.
      if (blindnesses.length > 0) fromMs = -Infinity;
      if (known === undefined) fromMs = Math.min(fromMs, ofSeveral.nextMs + offsetMs);
      const ofIncidents = planMessages(destination, context, {
        ...ofCauses,
        ...common,
        blindnesses,
        isKnown: (id) => planned.notified.ids.has(id),
        followed: planned.notified.followed.get(destination.destination),
      });
      const ofPromises = planPromiseMessages(destination, context, {
        ...common,
        isBlind: isBlindNow(visibilityOf(slug), context.record.observedMs ?? -Infinity, look.nowMs),
        written: planned.promised.warnings.get(destination.destination) ?? NONE_WRITTEN,
        isKnown: (id) => planned.promised.ids.has(id),
      });
      fromMs = Math.min(fromMs, ofIncidents.nextMs, ofPromises.nextMs);
      const messages = [...ofIncidents.drafts, ...ofPromises.drafts];
      return known === undefined ? [...messages, ...ofSeveral.drafts] : messages;
    });
    // More may be due once these are written.
    if (drafts.length > 0) fromMs = -Infinity;
    dueCompanies.wait(slug, { waited: whenWaited(planned, { offsetMs, longestMs }), fromMs });
    unsettled.note(slug, context.promises);
    await writeDrafts(writer, drafts, new Map([[slug, planned]]));
  }

  /** When the company's openings have waited. */
  function whenWaited(
    { context }: PlannedCompany,
    { offsetMs, longestMs }: { offsetMs: number; longestMs: number },
  ): number[] {
    const nowMs = clock.nowMs();
    return context.record.incidents.flatMap(({ timeline }) => {
      const openedMs = timeline.phases[0]?.fromMs;
      if (openedMs === undefined) return [];
      return [waitMs, longestMs]
        .map((ms) => openedMs + ms - offsetMs)
        .filter((untilMs) => untilMs > nowMs);
    });
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
    for (const { company } of drafts) if (company !== null) several.forget(company);
  }

  async function write(writer: Writer, rows: readonly NewDelivery[]): Promise<void> {
    if (rows.length === 0) return;
    await options.onStep("planned");
    await writer.orm.transaction((tx) => enqueue(tx, rows, clock.nowMs()));
    await options.onStep("written");
  }

  return { plan };
}
