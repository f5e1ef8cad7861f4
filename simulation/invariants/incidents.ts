import { Broken, type Scene } from "../simulation";
import { createIncidentFold, type FoldedIncident } from "./incident-fold";
import { notQuiet } from "./learned-week/quiet-days";
import {
  createWeeksInForce,
  weekOf,
  type RecordedWeek,
  type WeeksInForce,
} from "./learned-week/weeks-in-force";
import { createRecordReader, type ClosedDay, type Committed } from "./observations";
import { createReadings } from "./readings";
import type { createReportCheck } from "./report-times";
import { createVerdictsCheck } from "./verdicts";

type Recorded = {
  company: string;
  id: number;
  partner_name: string;
  began_ms: string;
  opened_ms: string;
  ended_ms: string | null;
  ending: string | null;
  worst_verdict: string;
  flaps: number;
  members: {
    endpointId: string;
    beganMs: number;
    joinedMs: number;
    endedMs: number | null;
    ending: string | null;
  }[];
};

/** Follows the record check by check: verdicts by the table, and incidents by a fold of our own. */
export function createIncidentsCheck(report: ReturnType<typeof createReportCheck>) {
  const read = createRecordReader();
  let { judge, fold, folded, weeks } = fresh();
  const touched = new Set<string>();
  /** Companies whose record was looked at to learn weeks. */
  const looked = new Set<string>();
  const readings = createReadings();
  const weeksOf = (company: string) => {
    const own = weeks.get(company) ?? createWeeksInForce();
    weeks.set(company, own);
    return own;
  };

  function follow(one: Committed): void {
    switch (one.kind) {
      case "restored":
        ({ judge, fold, folded, weeks } = fresh());
        looked.clear();
        report.forget();
        one.kept.forEach(follow);
        return;
      case "quiet":
        fold.quiet(one.company, one.quiet);
        report.quiet(one.company, one.quiet);
        return;
      case "week":
        weeksOf(one.company).week(one.week);
        looked.add(one.company);
        return;
      case "look":
        weeksOf(one.company).look(one.lookedUntil);
        looked.add(one.company);
        return;
      case "promised day":
        weeksOf(one.company).day(one.day);
        return;
      case "closed day":
        report.close(one.company, one.day);
        compareOpened(one.company, one.day, folded);
        return;
      case "check": {
        const { check } = one;
        const own = weeksOf(check.company);
        const rows = judge(check, own, readings.of(check));
        own.checked();
        report.check(check, rows);
        for (const incident of fold.check(check, rows)) {
          folded.set(nameOf(check.company, incident.partner, incident.openedMs), {
            company: check.company,
            incident,
          });
          touched.add(`${check.company} ${incident.partner}`);
        }
      }
    }
  }

  return async (scene: Scene): Promise<void> => {
    const { control } = scene;
    touched.clear();
    readings.take(scene);
    (await read(control)).forEach(follow);
    for (const company of looked) checkQuiet(company, weeksOf(company).all(), scene);
    looked.clear();
    if (touched.size === 0) return;
    const recorded = await control.rows<Recorded>(
      `select company, id, partner_name, ending, worst_verdict, flaps, members,
         (extract(epoch from began_at) * 1000)::bigint as began_ms,
         (extract(epoch from opened_at) * 1000)::bigint as opened_ms,
         (extract(epoch from ended_at) * 1000)::bigint as ended_ms
       from incidents where company || ' ' || partner_name = any ($1)`,
      [[...touched]],
    );
    const seen = new Set<string>();
    for (const row of recorded) {
      const name = nameOf(row.company, row.partner_name, Number(row.opened_ms));
      seen.add(name);
      const own = folded.get(name);
      if (own === undefined) throw new Broken("incidents", `${name} is on record, and never began`);
      compare(name, row, own.incident);
    }
    for (const [name, { company, incident }] of folded)
      if (touched.has(`${company} ${incident.partner}`) && !seen.has(name))
        throw new Broken("incidents", `${name} isn't on record`);
  };
}

type Folded = Map<string, { company: string; incident: FoldedIncident }>;

/** Compares how many incidents opened on a closed day. */
function compareOpened(slug: string, { day, incidents, ...at }: ClosedDay, folded: Folded): void {
  if (incidents === null) return;
  const [fromMs, untilMs] = [Date.parse(at.from_at), Date.parse(at.until_at)];
  const opened = new Map<string, number>();
  for (const { company, incident } of folded.values())
    if (company === slug && fromMs <= incident.openedMs && incident.openedMs < untilMs)
      opened.set(incident.partner, (opened.get(incident.partner) ?? 0) + 1);
  for (const partner of new Set([...opened.keys(), ...Object.keys(incidents)])) {
    const [shown = 0, own = 0] = [incidents[partner], opened.get(partner)];
    if (shown !== own)
      throw new Broken(
        "report",
        `${slug} ${partner} ${day}: ${shown} incidents opened, not ${own}`,
      );
  }
}

const fresh = () => ({
  judge: createVerdictsCheck(),
  fold: createIncidentFold(),
  folded: new Map() as Folded,
  weeks: new Map<string, WeeksInForce>(),
});

/** Weeks that are in force after a look are those in which truly no data came. */
function checkQuiet(
  slug: string,
  weeks: ReadonlyMap<string, RecordedWeek>,
  { world, api, time, note }: Scene,
): void {
  const feeds = world.companies.find((one) => one.slug === slug)?.feeds ?? [];
  const skewMs = api.skewMs(slug);
  const evidence = { fromMs: world.startMs + skewMs, untilMs: time.nowMs() + skewMs, skewMs };
  if (weeks.size > 0) note(`${weeks.size} feeds of ${slug} have a learned week`);
  for (const [id, week] of weeks) {
    const feed = feeds.find((one) => one.id === id);
    if (feed === undefined)
      throw new Broken("learned weeks", `${slug} ${id} has one, and isn't a feed`);
    const why = notQuiet(feed, weekOf(week), evidence);
    if (why !== null) throw new Broken("learned weeks", `${slug} ${id} has one, but ${why}`);
  }
}

function compare(name: string, row: Recorded, own: FoldedIncident): void {
  const pairs: [string, unknown, unknown][] = [
    ["beginning", Number(row.began_ms), own.beganMs],
    ["end", row.ended_ms === null ? null : Number(row.ended_ms), own.endedMs],
    ["ending", row.ending, own.ending],
    ["worst verdict", row.worst_verdict, own.worst],
    ["returns of trouble", row.flaps, own.flaps],
    ["number of members", row.members.length, own.parts.size],
    ...row.members.flatMap((member): [string, unknown, unknown][] => {
      const part = own.parts.get(member.endpointId);
      const of = (what: string) => `${what} of ${member.endpointId}`;
      return [
        [of("beginning"), member.beganMs, part?.beganMs],
        [of("joining"), member.joinedMs, part?.joinedMs],
        [of("end"), member.endedMs, part?.endedMs],
        [of("ending"), member.ending, part?.ending],
      ];
    }),
  ];
  const odd = pairs.find(([, recorded, folded]) => recorded !== folded);
  if (odd !== undefined)
    throw new Broken(
      "incidents",
      `${name}: the ${odd[0]} is recorded as ${String(odd[1])}, and is ${String(odd[2])}`,
    );
}

const nameOf = (company: string, partner: string, openedMs: number) =>
  `${company} ${partner} ${new Date(openedMs).toISOString()}`;
