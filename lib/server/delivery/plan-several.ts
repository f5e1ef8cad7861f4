import type { CarriedIncidents } from "@/lib/domain/delivery/incident-parts";
import type { RecordedFleet } from "@/lib/domain/delivery/plan-fleet";
import { isBlindNow } from "@/lib/domain/delivery/visibility";
import { HOUR_MS } from "@/lib/domain/time/units";
import type { PlannedDestination } from "./destinations";
import type { PlannedCompany } from "./message-context";
import { planCauses, type Causes } from "./plan-causes";
import { hostsTold, readRecordedFleets } from "@/lib/server/store/delivery/group-facts";
import { NO_BUDGET } from "@/lib/server/store/most-rows";
import { endsAllWork } from "@/lib/server/store/fence";
import {
  blindnessesIn,
  PAST_MS,
  readForLook,
  type ConnectedCompany,
  type Look,
  type LookOptions,
} from "./look";

/** How long after its end a fleet incident is planned with each observation of its companies. */
const SETTLED_MS = HOUR_MS;

/** Companies in messages about several, and what was planned about them, by destination. */
type PlannedTogether = {
  companies: ReadonlyMap<string, PlannedCompany>;
  causes: ReadonlyMap<string, Causes>;
  /**
   * Companies in them that can't be read, and why: they are in them as last read. What one is in that hasn't been read
   * before isn't told to be over.
   */
  unreadable: ReadonlyMap<string, unknown>;
};

/** A company as read after an observation; undefined: it wasn't observed. */
type ReadCompany = { observedMs: number | undefined; company: PlannedCompany };

type Given = {
  /** See `readFleetsVersion`. */
  version: string;
  /** Companies that are planned in this look. */
  changed: readonly string[];
  /** Whether to plan even if none of these is in such a message. */
  isAnyway: boolean;
  /** Whether to look again which hosts can't be seen. */
  isHostsDue: boolean;
};

const NOTHING: PlannedTogether = {
  companies: new Map(),
  causes: new Map(),
  unreadable: new Map(),
};

/**
 * Plans messages about several: fleet incidents, and hosts whose companies can't be seen. What it remembers only saves
 * reading.
 */
export function createSeveral(options: LookOptions): {
  /** Whether a message may be due. */
  isDue(nowMs: number): boolean;
  /** Whether fleet incidents have another version than the last look that was `done`. */
  isNew(version: string): boolean;
  plan(look: Look, given: Given): Promise<PlannedTogether>;
  /** Plans messages about several of a company that is in none with others, such as when it is rate limited. */
  planAlone(destination: PlannedDestination, company: PlannedCompany, look: Look): Causes;
  /** A message about the company was written, so that what was read of it before is old. */
  forget(company: string): void;
  /** A look at this version is complete. */
  done(version: string): void;
} {
  const { database, companies, visibilityOf, waitMs } = options;
  let doneVersion = "";
  let fleets: { version: string; all: RecordedFleet[] } = { version: "", all: [] };
  /** Companies in messages about several, as of an observation. */
  let held = new Map<string, ReadCompany>();
  /** When the next message is due. */
  let nextMs = Infinity;
  /** Companies that can't be seen, or whose host a message said so of. */
  let ofHosts: ReadonlySet<string> = new Set();
  /** What fleet incidents report, by destination and fleet incident. */
  const found = new Map<string, Map<string, CarriedIncidents>>();

  async function plan(
    look: Look,
    { version, changed, isAnyway, isHostsDue }: Given,
  ): Promise<PlannedTogether> {
    const { nowMs, isWhole } = look;
    if (isWhole || version !== fleets.version) {
      const all = await readRecordedFleets(database.orm, nowMs - PAST_MS, NO_BUDGET);
      fleets = { version, all };
    }
    if (isHostsDue) ofHosts = companiesOfHosts(look);
    const active = isWhole
      ? fleets.all
      : fleets.all.filter(({ closedMs }) => closedMs === null || closedMs > nowMs - SETTLED_MS);
    const members = active.flatMap((fleet) => fleet.members.map(({ company }) => company));
    // All of them or none: some of a group's companies would look like a group that is over.
    const several = new Set([...members, ...ofHosts]);
    if (!isAnyway && !changed.some((slug) => several.has(slug))) return NOTHING;
    const { group, unreadable } = await readAll(several, new Set(changed), look);
    const unread = companies().filter(({ slug }) => unreadable.has(slug) && !group.has(slug));
    const causes = new Map<string, Causes>();
    nextMs = Infinity;
    for (const destination of look.destinations) {
      const planned = causesFor(destination, { group, unread, active }, look);
      causes.set(destination.destination, planned);
      nextMs = Math.min(nextMs, planned.nextMs);
      const known = isWhole ? undefined : found.get(destination.destination);
      found.set(destination.destination, new Map([...(known ?? []), ...planned.fleets]));
    }
    return { companies: group, causes, unreadable };
  }

  /** @param fresh those that have changed since they were read */
  async function readAll(
    slugs: ReadonlySet<string>,
    fresh: ReadonlySet<string>,
    look: Look,
  ): Promise<{ group: ReadonlyMap<string, PlannedCompany>; unreadable: Map<string, unknown> }> {
    const unreadable = new Map<string, unknown>();
    const connected = new Map(companies().map((one) => [one.slug, one]));
    const read = new Map<string, ReadCompany>();
    for (const slug of slugs) {
      const about = connected.get(slug);
      if (about === undefined) continue;
      const observedMs = look.observed.get(slug);
      const last = held.get(slug);
      const isNew = look.isWhole || fresh.has(slug) || last?.observedMs !== observedMs;
      if (last !== undefined && !isNew) {
        read.set(slug, last);
        continue;
      }
      try {
        read.set(slug, { observedMs, company: await readForLook(options, about, look) });
      } catch (error) {
        // An error that one company causes must not silence the others.
        if (endsAllWork(error)) throw error;
        unreadable.set(slug, error);
        if (last !== undefined) read.set(slug, last);
      }
    }
    held = read;
    return { group: new Map([...held].map(([slug, { company }]) => [slug, company])), unreadable };
  }

  function causesFor(
    destination: PlannedDestination,
    {
      group,
      unread,
      active,
    }: {
      group: ReadonlyMap<string, PlannedCompany>;
      /** Companies that belong to the group, but can't be read and haven't been before. */
      unread: readonly ConnectedCompany[];
      active: readonly RecordedFleet[];
    },
    look: Look,
  ): Causes {
    const visible = new Map([...group].filter(([slug]) => destination.mayReceive(slug)));
    const planned = new Set(active.map(({ id }) => id));
    return planCauses(destination, visible, {
      fleets: active,
      settled: [...(found.get(destination.destination) ?? [])].flatMap(([id, carried]) =>
        planned.has(id) ? [] : [carried],
      ),
      unread: unread.filter(({ slug }) => destination.mayReceive(slug)),
      blindnesses: (slug) => {
        const company = visible.get(slug);
        return company === undefined ? [] : blindnessesIn(options, company, destination, look);
      },
      written: look.written.get(destination.destination) ?? new Map(),
      waits: look.waits.get(destination.destination) ?? new Map(),
      waitMs,
      nowMs: look.nowMs,
    });
  }

  function companiesOfHosts({ observed, written, nowMs }: Look): ReadonlySet<string> {
    const told = hostsTold(written);
    const ofHost = companies().flatMap(({ slug, host }) => {
      const observedMs = observed.get(slug);
      const isBlind = observedMs !== undefined && isBlindNow(visibilityOf(slug), observedMs, nowMs);
      return host !== undefined && (isBlind || told.has(host)) ? slug : [];
    });
    return new Set(ofHost);
  }

  return {
    isDue: (nowMs) => nextMs <= nowMs,
    isNew: (version) => version !== doneVersion,
    plan,
    planAlone(destination, company, look) {
      const group = new Map([[company.context.company.slug, company]]);
      return causesFor(destination, { group, unread: [], active: [] }, look);
    },
    forget: (company) => void held.delete(company),
    done: (version) => void (doneVersion = version),
  };
}
