import { companyName, type CompanyName } from "@/lib/domain/companies/company-name";
import { briefTimesBetween } from "@/lib/domain/delivery/brief-times";
import { isAmong, startOnClock } from "@/lib/domain/delivery/rule";
import type { PlannedRule } from "@/lib/domain/delivery/rule";
import { nameWithId, withContent, type Message } from "@/lib/domain/delivery/message";
import { plainName } from "@/lib/domain/text/plain-name";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time/units";
import { briefContent, briefLine } from "@/lib/domain/words/messages/company-content";
import { ruleFoot } from "@/lib/domain/words/messages/message-foot";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import { readBriefFacts } from "@/lib/server/store/delivery/brief-facts";
import { readKnownIds, type NewDelivery } from "@/lib/server/store/delivery/outbox";
import { endsAllWork } from "@/lib/server/store/fence";
import { messageId } from "./compose";
import type { Destination } from "./plan-messages";

/** A brief overdue by more than this is skipped: the next one covers it. */
const LATEST_MS = 12 * HOUR_MS;
const LONGEST_MS = 8 * DAY_MS;

type Options = {
  database: Pick<Database, "orm" | "pool">;
  clock: Pick<Clock, "nowMs">;
  companies: () => readonly CompanyName[];
  appUrl: string;
  timeZone: string;
};

/**
 * Briefs that are due and not written yet, one per rule of a destination.
 * @returns `failed`: why some can't be written, by id
 */
export async function planBriefs(
  options: Options,
  destinations: readonly (Destination & { mayReceive: (company: string) => boolean })[],
): Promise<{ rows: NewDelivery[]; failed: Map<string, unknown> }> {
  const nowMs = options.clock.nowMs();
  const all = destinations.flatMap(({ mayReceive, ...one }) => {
    const { rules, timeZone, follows: _, followsFromMs: __, ...destination } = one;
    /** Number of briefs at the same time; the oldest rule's comes first. */
    const amounts = new Map<number, number>();
    return rules.flatMap((rule) => {
      const due = dueBrief(rule, nowMs);
      if (due === null) return [];
      // Also without companies, or the others' keys would change once it has one.
      const amount = (amounts.get(due.untilMs) ?? 0) + 1;
      amounts.set(due.untilMs, amount);
      const companies = options
        .companies()
        .filter(({ slug }) => mayReceive(slug) && isAmong(slug, rule.companies));
      if (companies.length === 0) return [];
      const key = `brief:${due.untilMs}${amount === 1 ? "" : `:${amount}`}`;
      return {
        ...due,
        destination,
        to: { name: destination.toName, isOwn: destination.to !== "channel" },
        timeZone,
        writtenMs: nowMs,
        rule,
        companies,
        key,
        id: messageId(destination.destination, "", key),
      };
    });
  });
  const known = await readKnownIds(
    options.database.orm,
    all.map(({ id }) => id),
  );
  const rows: NewDelivery[] = [];
  const failed = new Map<string, unknown>();
  for (const { destination, key, ...brief } of all.filter(({ id }) => !known.has(id))) {
    try {
      const { message, about } = await writeBrief(options, brief);
      rows.push({
        ...destination,
        id: brief.id,
        key,
        company: null,
        about,
        incidentId: null,
        thread: key,
        type: "brief",
        message,
        includedIn: null,
        dueMs: brief.untilMs,
      });
    } catch (error) {
      if (endsAllWork(error)) throw error;
      failed.set(brief.id, error);
    }
  }
  return { rows, failed };
}

/** The latest due brief, and the start of its period; null: none. */
function dueBrief(
  { brief, sinceMs }: PlannedRule,
  nowMs: number,
): { fromMs: number; untilMs: number } | null {
  if (brief === null) return null;
  const timesMs = briefTimesBetween(brief, { fromMs: nowMs - LONGEST_MS, untilMs: nowMs });
  const untilMs = timesMs.at(-1);
  const madeMs = startOnClock(sinceMs, { aheadMs: 0, nowMs });
  if (untilMs === undefined || untilMs <= madeMs || nowMs - untilMs > LATEST_MS) return null;
  return { fromMs: timesMs.at(-2) ?? untilMs - DAY_MS, untilMs };
}

/**
 * Writes a brief: what started, ended and is open, per company, and the share of time observed.
 * @returns `about`: the companies it covers
 */
export async function writeBrief(
  { database, appUrl }: Pick<Options, "database" | "appUrl">,
  {
    id,
    rule,
    to,
    timeZone,
    writtenMs,
    companies,
    fromMs,
    untilMs,
  }: {
    id: string;
    rule: Pick<PlannedRule, "name" | "partners" | "onlyFor">;
    to: { name: string; isOwn: boolean };
    /** Of times in it, an IANA name. */
    timeZone: string;
    writtenMs: number;
    companies: readonly CompanyName[];
    fromMs: number;
    untilMs: number;
  },
): Promise<{ message: Message; about: string[] }> {
  const facts = await readBriefFacts(database, {
    companies: companies.map(({ slug }) => slug),
    partners: rule.partners,
    onlyFor: rule.onlyFor,
    fromMs,
    untilMs,
  });
  const reported = companies.flatMap((company) => {
    const found = facts.get(company.slug);
    return found === undefined ? [] : [{ ...found, company }];
  });
  const [only] = companies;
  // Of one company, the message itself has the id.
  const company = companies.length === 1 && only !== undefined ? companyName(only) : null;
  const calledOf = (one: CompanyName) => (company === null ? nameWithId(one) : plainName(one.name));
  const lines = reported
    .toSorted((a, b) => b.open - a.open)
    .map((one) => briefLine({ ...one, company: calledOf(one.company) }));
  const content = briefContent({
    writtenMs,
    timeZone,
    foot: ruleFoot([rule], to, appUrl),
    fromMs,
    untilMs,
    open: reported.reduce((sum, one) => sum + one.open, 0),
    isSeen: reported.every(({ isSeen }) => isSeen),
    partners: rule.partners === "all" ? "all" : rule.partners.map(plainName),
    isMine: rule.onlyFor !== null,
    companies: lines,
  });
  const message = withContent(
    {
      id,
      type: "brief",
      at: iso(untilMs),
      company,
      incident: null,
      url: `${appUrl}/incidents`,
    },
    content,
  );
  return { message, about: reported.map(({ company: { slug } }) => slug) };
}
