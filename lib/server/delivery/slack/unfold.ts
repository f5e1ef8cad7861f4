import { isFailure } from "@/lib/contracts/failure";
import type { OwnLink } from "@/lib/domain/delivery/own-link";
import { withContent, type Message } from "@/lib/domain/delivery/message";
import type { Planned } from "@/lib/domain/delivery/plan";
import { phaseAt, type IncidentTimeline } from "@/lib/domain/delivery/incident-timeline";
import { coversIncident, rulesFor, type PlannedRule } from "@/lib/domain/delivery/rule";
import { isBlindNow, type Visibility } from "@/lib/domain/delivery/visibility";
import { encodeSegment } from "@/lib/domain/partner-address";
import { companyName, type CompanyName } from "@/lib/domain/companies/company-name";
import { plainName } from "@/lib/domain/text/plain-name";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { blindContent, nothingOpenContent } from "@/lib/domain/words/messages/company-content";
import { ruleFoot } from "@/lib/domain/words/messages/message-foot";
import { compose, type MessageContext } from "@/lib/server/delivery/compose";
import { readFeeds, readMessageContext } from "@/lib/server/delivery/message-context";
import type { Database } from "@/lib/server/store/database";
import { readIncidentsTold } from "@/lib/server/store/delivery/notified";
import { rowBudget, type RowBudget } from "@/lib/server/store/most-rows";

export type UnfoldParts = {
  orm: Database["orm"];
  /** The connected companies. */
  companies: () => readonly (CompanyName & { timeZone?: string })[];
  /** Null: never seen. */
  visibilityOf: (company: string) => Visibility | null;
  appUrl: string;
  /** Of channels without one, an IANA name. */
  timeZone: string;
};

/** A channel of ours in which a link was posted, with the rules that send to it now. */
export type UnfoldTo = {
  id: string;
  name: string;
  timeZone: string | null;
  rules: readonly PlannedRule[];
};

/** Incidents that ended longer ago aren't told again. */
const PAST_MS = 3 * DAY_MS;

/** What messages to a channel say about a linked page now; null: none would be about it, so that the card is generic. */
export type Unfold = (to: UnfoldTo, link: OwnLink) => Promise<Message | null>;

/**
 * Unfolds links as messages: only about what the channel's rules cover, and about incidents that it was told of. The
 * record of each company is read once, and of one that needs more rows than `budget` has left nothing is said.
 * @param nowMs our clock, epoch milliseconds
 */
export function createUnfold(
  parts: UnfoldParts,
  nowMs: number,
  budget: Pick<RowBudget, "read"> = rowBudget(),
): Unfold {
  const { orm, appUrl, companies, visibilityOf } = parts;
  const contexts = new Map<string, Promise<MessageContext | null>>();

  return async (to, link) => {
    if (link.leadsTo !== "company") return null;
    const { slug } = link;
    const about = companies().find((one) => one.slug === slug);
    const rules = rulesFor(to.rules, slug, null);
    if (about === undefined || rules.length === 0) return null;
    const seen = visibilityOf(slug);
    const timeZone = to.timeZone ?? parts.timeZone;
    const reading =
      contexts.get(slug) ??
      readMessageContext(
        orm,
        {
          company: about,
          appUrl,
          timeZone: parts.timeZone,
          because: seen?.because ?? null,
          sinceMs: nowMs - PAST_MS,
        },
        budget,
      ).catch(nullIfRefused);
    contexts.set(slug, reading);
    const context = await reading;
    if (context === null) return null;
    const { observedMs, offsetMs, incidents } = context.record;
    const company = plainName(about.name);
    const where = {
      company,
      timeZone,
      writtenMs: nowMs + offsetMs,
      foot: ruleFoot(rules, { name: to.name, isOwn: false }, appUrl),
    };
    const base = {
      id: "",
      at: iso(nowMs),
      company: companyName(about),
      incident: null,
      url: `${appUrl}/${slug}`,
    };
    if (observedMs === null || seen === null || isBlindNow(seen, observedMs, nowMs))
      return withContent(
        { ...base, type: "company.blind" },
        blindContent({ ...where, sinceMs: observedMs, because: context.because }),
      );

    const told = await readIncidentsTold(
      orm,
      { destination: `channel:${to.id}`, company: slug },
      incidents.map(({ row }) => row.id),
    );
    const known = incidents.filter(({ row }) => told.has(row.id));
    const covered = known.filter(({ row: { worstVerdict: worst }, timeline: { partner } }) =>
      rules.some((rule) => coversIncident(rule, { company: slug, partner, worst })),
    );
    const written = async (
      tells: "opened" | "ended" | "summary",
      timelines: IncidentTimeline[],
    ) => {
      const all = timelines.flatMap((timeline) => plannedOf(timeline, tells, where.writtenMs));
      const [first] = all;
      if (first === undefined) return null;
      const partners = timelines.map(({ partner }) => partner);
      const planned: Planned =
        tells === "summary" ? { tells, key: KEY, dueMs: where.writtenMs, includedIn: null } : first;
      return compose(
        planned,
        {
          id: "",
          all: tells === "summary" ? all : [],
          rules: to.rules,
          to: { name: to.name, isOwn: false },
          timeZone,
          writtenMs: where.writtenMs,
          feeds: tells === "opened" ? await readFeeds(orm, slug, partners, observedMs) : null,
        },
        context,
      );
    };
    if (link.incidentId !== null) {
      const found = covered.find(({ row }) => row.id === link.incidentId);
      if (found === undefined) return null;
      return written(found.row.endedAt === null ? "opened" : "ended", [found.timeline]);
    }
    const open = covered.filter(({ row }) => row.endedAt === null);
    const ofPartner = open.find(({ timeline }) => encodeSegment(timeline.partner) === link.partner);
    if (ofPartner !== undefined) return written("opened", [ofPartner.timeline]);
    if (open.length > 0)
      return written(
        "summary",
        open.map(({ timeline }) => timeline),
      );
    // Of those that the rules leave out by now, nothing is said.
    if (known.some(({ row }) => row.endedAt === null)) return null;
    const content = nothingOpenContent({ ...where, atMs: observedMs });
    return withContent({ ...base, type: "brief" }, content);
  };
}

function nullIfRefused(error: unknown): null {
  if (isFailure(error)) return null;
  throw error;
}

/** Messages that unfold links aren't stored: they need no key of their own. */
const KEY = "unfolded";

function plannedOf(
  timeline: IncidentTimeline,
  tells: "opened" | "ended" | "summary",
  dueMs: number,
): Extract<Planned, { timeline: IncidentTimeline }>[] {
  const phase = phaseAt(timeline.phases, dueMs) ?? timeline.phases[0];
  if (phase === undefined) return [];
  return [
    {
      tells: tells === "summary" ? "opened" : tells,
      key: `${KEY} ${timeline.incidentId}`,
      dueMs,
      includedIn: tells === "summary" ? KEY : null,
      timeline,
      phase,
    },
  ];
}
