import { calmMs, RECOVERED_MS } from "../faults";
import { REMIND_EVERY_MINUTES } from "../people";
import { Broken, type Scene } from "../simulation";
import { createRestoreWatch } from "./restore-watch";

/**
 * `saidMs`: when what it tells of happened, by its own words. `names`: the incidents that a message about a partner at
 * several companies names.
 */
type Told = {
  id: string;
  type: string;
  atMs: number;
  subjects: readonly string[];
  names: readonly string[];
  saidMs: number;
};
type Body = {
  id: string;
  type: string;
  at: string;
  text: string;
  company: { slug: string } | null;
  incident: { id: number; opened_at: string } | null;
  fleet_incident?: {
    id: string;
    companies: { company: string; incident_id: number; since: string }[];
  };
  companies?: string[];
  promise?: { id: string; date: string };
};

const MINUTE_MS = 60_000;

/** Endings, and what may have opened their subject. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  "incident.ended": ["incident.opened"],
  "partner.ended": ["partner.opened"],
  "company.limited_ended": ["company.limited"],
  // Companies of a host whose others can be seen again go on with messages of their own.
  "company.seen_again": ["company.blind", "host.blind"],
  "host.seen_again": ["host.blind"],
  "promise.met": ["promise.at_risk"],
  "promise.missed": ["promise.at_risk"],
  "promise.ended": ["promise.at_risk"],
};
/** What they end besides: what was said of a company before it was one of its host's. */
const ENDED_BESIDES: Readonly<Record<string, readonly string[]>> = {
  "host.seen_again": ["company.blind"],
};
/** A day that wasn't at risk can be missed all the same. */
const NEED_NO_OPENING: ReadonlySet<string> = new Set(["promise.missed"]);
const REMINDS = "No one has acknowledged it yet";

/**
 * Messages, as a receiver knows them: repetitions have the same id, every opening comes once and has at most one ending
 * after it, reminders keep their interval, and no company's text reaches a destination of another.
 */
export function createMessagesCheck() {
  const told = new Map<string, Told[]>();
  /** By incident, since when its acknowledgement was seen to stand, true time, and until when it does by our clock. */
  let acknowledged = new Map<string, { sinceMs: number; untilMs: number }>();
  let checked = 0;
  const isRestored = createRestoreWatch();
  let restoredMs = -Infinity;
  /** Since when messages have been sent again after a restore, which pauses them. */
  let sendingSinceMs = -Infinity;
  let isPaused = false;
  return async (scene: Scene, isEnd: boolean): Promise<void> => {
    await take(scene);
    acknowledged = await readAcknowledged(scene, acknowledged);
    if (isRestored(scene)) {
      restoredMs = scene.time.nowMs();
      isPaused = true;
    }
    if (isPaused) {
      sendingSinceMs = scene.time.nowMs();
      isPaused = (await scene.control.rows("select from pauses")).length > 0;
    }
    if (!isEnd || isPaused) return;
    await checkOpenings(scene, sendingSinceMs);
    if (scene.time.nowMs() - sendingSinceMs >= RECOVERED_MS) await checkEndings(scene);
  };

  async function take(scene: Scene): Promise<void> {
    const { receivers, world } = scene;
    for (; checked < receivers.received.length; checked += 1) {
      const one = receivers.received[checked];
      if (one === undefined) return;
      checkCanaries(one, world.companies);
      const body = JSON.parse(one.body) as Body;
      if (body.id !== one.id) throw new Broken("messages", `${one.id} says that it is ${body.id}`);
      // What several companies share is told by our clock.
      const latestMs = one.atMs + oursAheadMs(scene, one.atMs) + MINUTE_MS;
      const later = body.fleet_incident?.companies.find(
        ({ since }) => Date.parse(since) > latestMs,
      );
      if (later !== undefined && !(await wasWrittenLater(scene.control, body.id, later.since)))
        throw new Broken(
          "messages",
          `${body.id} to ${one.to} tells of trouble since ${later.since}`,
        );
      const known = told.get(one.to) ?? [];
      told.set(one.to, known);
      if (known.some(({ id }) => id === one.id)) continue;
      const subjects = subjectsOf(body);
      await checkOrder(scene, { to: one.to, atMs: one.atMs, body, known, subjects });
      const saidMs = Date.parse(body.at);
      if (isReminder(body)) {
        checkReminder(scene, known, { to: one.to, atMs: one.atMs, subjects, saidMs });
        await checkUnacknowledged(scene, { ...one, subjects });
      }
      const type = isReminder(body) ? REMINDER : body.type;
      known.push({ id: one.id, type, atMs: one.atMs, subjects, names: namesOf(body), saidMs });
    }
  }

  /** Two openings have an ending between them, and an ending has an opening before it. */
  async function checkOrder(
    scene: Scene,
    given: {
      to: string;
      atMs: number;
      body: Body;
      known: readonly Told[];
      subjects: readonly string[];
    },
  ): Promise<void> {
    const { to, body, known, subjects, atMs } = given;
    const { control, api } = scene;
    const openings = ENDINGS[body.type];
    const paired = openings ?? [body.type];
    const lasts = subjects.map((subject) =>
      known.findLast(
        ({ type, subjects: others }) =>
          others.includes(subject) && [type, ...endedBy(type)].some((one) => paired.includes(one)),
      ),
    );
    // A restored outbox forgets what was sent since the backup, and gives numbers of incidents again.
    const isForgotten = lasts.some((last) => (last?.atMs ?? openedMs(body, api)) < restoredMs);
    if (isForgotten) return;
    const what = `${body.type} of ${subjects.join(", ")}`;
    if (openings === undefined) {
      if (!isOpening(body.type) || lasts.some((last) => last?.type !== body.type)) return;
      // What several companies have in common is known by when it was reported, by our clock.
      const sinceMs = Math.min(...lasts.map((last) => last?.atMs ?? Infinity));
      if (body.fleet_incident !== undefined && wasOursSet(scene, sinceMs, atMs)) return;
      // While its host's message has no ending, a company that was seen in between has messages of its own.
      const hosts = known.findLast(
        ({ type, subjects: others }) =>
          type === "host.blind" && subjects.some((subject) => others.includes(subject)),
      );
      if (hosts !== undefined && hosts.atMs >= sinceMs && body.type === "company.blind")
        if (await wasSeenBetween(control, lasts[0]?.id ?? "", body.id)) return;
      throw new Broken("messages", `${to} got two ${what} in a row`);
    }
    if (lasts.some((last) => last !== undefined && openings.includes(last.type))) return;
    const isFirst = lasts.every((last) => last === undefined);
    if (isFirst && NEED_NO_OPENING.has(body.type)) return;
    if (!(await wasIncluded(control, to, subjects)))
      throw new Broken("messages", `${to} got ${what} without its opening`);
  }

  /**
   * Between two reminders of an incident lies the interval that its rule asks for, by their own words. Once an API's
   * clock was set back these may be too close: then it is half of the interval, as they arrive. It is half of it, too,
   * when our clock was set meanwhile, since quiet hours then end at another instant.
   */
  function checkReminder(
    scene: Scene,
    known: readonly Told[],
    { to, atMs, subjects, saidMs }: Pick<Told, "atMs" | "subjects" | "saidMs"> & { to: string },
  ): void {
    const own = known.filter(({ subjects: [other] }) => other === subjects[0]);
    const lastAt = own.findLastIndex(({ type }) => type === REMINDER);
    const last = own[lastAt];
    if (last === undefined || last.atMs < restoredMs) return;
    const everyMs = REMIND_EVERY_MINUTES * MINUTE_MS;
    if (saidMs - last.saidMs >= everyMs) return;
    const isSetBack = own.slice(lastAt).some((one) => saidMs < one.saidMs);
    const isOursSet = wasOursSet(scene, last.atMs, atMs);
    const [afterMs, leastMs] = isSetBack
      ? [atMs - last.atMs, everyMs / 2 - scene.longestDelayMs]
      : [saidMs - last.saidMs, isOursSet ? everyMs / 2 : everyMs];
    if (afterMs < leastMs)
      throw new Broken(
        "messages",
        `${to} got a reminder of ${subjects.join()} ${afterMs} ms after the last`,
      );
  }

  /**
   * What was opened is still open, or its end was sent, perhaps within a message about several. Quiet hours may still
   * hold it back, or that its company is still limited or its partner still in trouble at several companies, whose end
   * would tell of it.
   */
  async function checkEndings(scene: Scene): Promise<void> {
    const { control, time, plan } = scene;
    if (calmMs(plan) < RECOVERED_MS) return;
    checkSeenAgain(scene);
    const over = await control.rows<{ subject: string; ended_ms: number }>(
      `select company || ' ' || id as subject, (1000 * extract(epoch from ended_at))::float as ended_ms
       from incidents where ended_at is not null
       union all
       select id::text, (1000 * extract(epoch from closed_at))::float from fleet_incidents where closed_at is not null`,
    );
    const quiet = await quietLately(scene);
    for (const [to, all] of told)
      for (const { subject, ended_ms: endedMs } of quiet.has(to) ? [] : over) {
        const last = all.findLast(
          (one) => one.subjects.includes(subject) && (isOpening(one.type) || isEnding(one.type)),
        );
        if (last === undefined || isEnding(last.type)) continue;
        if (last.atMs > time.nowMs() - RECOVERED_MS) continue;
        // What quiet hours held back is sent in order, and time moves on between two messages about one subject.
        const latest = all.findLast((one) => one.subjects.includes(subject)) ?? last;
        const isCatchingUp = latest.atMs > time.nowMs() - RECOVERED_MS && latest.saidMs < endedMs;
        if (isCatchingUp) continue;
        const company = subject.slice(0, subject.indexOf(" ") + 1);
        const ofCompany = all.findLast(({ subjects: [about] }) => about === company);
        if (ofCompany?.type === "company.limited") continue;
        const within = await endedWithin(control, to, subject);
        if (within === undefined && (await isOwedByPartner(control, all, subject))) continue;
        if (!all.some(({ id }) => id === within) && !(await isFresh(control, subject)))
          throw new Broken(
            "messages",
            `${to} got ${last.type} of ${subject}, and never its ending`,
          );
      }
  }

  /** A reminder isn't planned while its incident is acknowledged. Where our clock was set, `until` can't be told. */
  async function checkUnacknowledged(
    { control, faults }: Scene,
    {
      id,
      to,
      atMs,
      subjects,
    }: { id: string; to: string; atMs: number; subjects: readonly string[] },
  ): Promise<void> {
    const standing = acknowledged.get(subjects[0] ?? "");
    if (standing === undefined || atMs < restoredMs) return;
    if (faults.some(({ kind, fromMs }) => kind === "clock_jump" && fromMs <= atMs)) return;
    const [planned] = await control.rows<{ ms: number }>(
      "select (1000 * extract(epoch from created_at))::float as ms from deliveries where id = $1",
      [id],
    );
    const plannedMs = planned?.ms ?? 0;
    if (standing.sinceMs < plannedMs && plannedMs < standing.untilMs)
      throw new Broken(
        "messages",
        `${to} got a reminder of ${subjects.join()}, acknowledged before`,
      );
  }

  /** By the end every company is seen again, and the destination that is told everything knows. */
  function checkSeenAgain({ time, world }: Scene): void {
    for (const { slug } of world.companies) {
      const last = told.get("/all")?.findLast(({ subjects }) => subjects.includes(seeing(slug)));
      if (last === undefined || isEnding(last.type) || last.atMs < restoredMs) continue;
      if (last.atMs < time.nowMs() - RECOVERED_MS)
        throw new Broken("messages", `/all got ${last.type} of ${slug}, and never its ending`);
    }
  }
}

/** What ends sooner may be over before it is told. */
const MIN_REPORTED_MS = 5 * 60_000;

/**
 * What lasted was told to the destination that is told everything; not counting when no process was running. What is rate
 * limited, and follows others of its company that are, is told with their end.
 * @param sinceMs incidents that were opened before aren't looked at, true time in epoch milliseconds
 */
async function checkOpenings(scene: Scene, sinceMs: number): Promise<void> {
  const { control, plan, api, time, world } = scene;
  if (calmMs(plan) < RECOVERED_MS) return;
  for (const { slug } of world.companies) {
    const [untold] = await control.rows<{ id: number }>(
      `select id from incidents i
       where company = $1 and opened_at < $2 and opened_at > $4
         and coalesce(ended_at, 'infinity') > opened_at + make_interval(secs => $3) + (
           select coalesce(sum(least(until_at, ended_at) - greatest(from_at, opened_at)), '0') from gaps g
           where g.company = i.company and reason = 'stopped' and from_at < ended_at and until_at > opened_at)
         and not exists (
           select from deliveries d where d.company = i.company and d.incident_id = i.id
             and d.type = 'incident.opened' and d.to_name = '/all')
         and not (exists (
           select from deliveries l where l.company = i.company and l.to_name = '/all' and l.type = 'company.limited'
             and l.created_at < i.opened_at - make_interval(secs => $5)
             and not exists (
               select from deliveries e where e.company = l.company and e.to_name = l.to_name
                 and e.type = 'company.limited_ended' and e.seq > l.seq))
           and exists (
             select from runs r where r.company = i.company and r.status = 'rate_limited' and r.started_at <= i.opened_at
               and i.members @> jsonb_build_array(jsonb_build_object('endpointId', r.endpoint_id))))
       order by id limit 1`,
      [
        slug,
        new Date(time.nowMs() + api.skewMs(slug) - RECOVERED_MS),
        (MIN_REPORTED_MS + 2 * scene.longestDelayMs) / 1_000,
        new Date(Math.max(0, sinceMs + api.skewMs(slug))),
        api.skewMs(slug) / 1_000,
      ],
    );
    if (untold !== undefined)
      throw new Broken("messages", `/all was never told of incident ${untold.id} of ${slug}`);
  }
}

/** Whether a message was written after a time, both by our clock, which may be right again by the time that it is sent. */
async function wasWrittenLater(
  control: Scene["control"],
  id: string,
  time: string,
): Promise<boolean> {
  const found = await control.rows(
    "select from deliveries where id = $1 and created_at + interval '1 min' > $2::timestamptz",
    [id, time],
  );
  return found.length > 0;
}

/** Whether an incident's opening was told within another message, such as a summary after quiet hours. */
async function wasIncluded(
  control: Scene["control"],
  to: string,
  subjects: readonly string[],
): Promise<boolean> {
  const found = await control.rows(
    `select from deliveries
     where to_name = $1 and company || ' ' || incident_id = any($2) and type = 'incident.opened' and told_in is not null`,
    [to, subjects],
  );
  return found.length > 0;
}

/**
 * The message that tells of an incident's end among others, such as one about its partner; null: the end has a message of
 * its own; undefined: none was written.
 */
async function endedWithin(
  control: Scene["control"],
  to: string,
  subject: string,
): Promise<string | null | undefined> {
  const [row] = await control.rows<{ told_in: string | null }>(
    `select told_in from deliveries
     where to_name = $1 and company || ' ' || incident_id = $2 and type = 'incident.ended'`,
    [to, subject],
  );
  return row?.told_in;
}

/** How many companies of a partner in trouble at several go on alone, and after how long without a change. */
const MAX_REMAINING = 2;
const ALONE_AFTER_MS = 60 * MINUTE_MS;

/**
 * Whether a message about its partner at several companies named an incident, and its own ending, which will tell of
 * the incident's, isn't due yet: the partner is still in trouble at more companies than go on alone, or something changed
 * there lately.
 * @param all what the destination was told
 */
async function isOwedByPartner(
  control: Scene["control"],
  all: readonly Told[],
  subject: string,
): Promise<boolean> {
  const at = all.findLastIndex(({ names }) => names.includes(subject));
  const about = all[at]?.subjects[0];
  if (about === undefined) return false;
  if (all.slice(at).some(({ type, subjects }) => isEnding(type) && subjects[0] === about))
    return false;
  const members = await control.rows<{ company: string; is_open: boolean; calm_ms: number }>(
    `select m.company, i.ended_at is null as is_open, (1000 * extract(epoch from s.observed_at - greatest(
         (select max(at) from incident_events e
          where e.company = m.company and e.incident_id = m.incident_id and kind in ('opened', 'ended', 'seen_again')),
         (select max(until_at) from gaps g where g.company = m.company and i.ended_at is null))))::float as calm_ms
     from fleet_members m
     join incidents i on i.company = m.company and i.id = m.incident_id
     join incident_states s on s.company = m.company
     where m.fleet_id::text = $1`,
    [about],
  );
  const open = new Set(members.flatMap((one) => (one.is_open ? one.company : []))).size;
  if (open > MAX_REMAINING) return true;
  const sinceMs = Math.min(...members.map(({ calm_ms: ms }) => ms));
  return sinceMs < RECOVERED_MS + (open > 0 ? ALONE_AFTER_MS : 0);
}

/** Destinations that had quiet hours, which are daily and in UTC here, in the time that recovery takes, by any clock of ours. */
async function quietLately({ control, time, instances }: Scene): Promise<ReadonlySet<string>> {
  const rows = await control.rows<{ to_name: string; from_time: string; until_time: string }>(
    `select c.name as to_name, r.rule->'quiet'->>'from' as from_time, r.rule->'quiet'->>'until' as until_time
     from rules r join channels c on c.id = any(r.channel_ids)
     where r.rule->'quiet'->>'from' is not null`,
  );
  const isQuiet = ({ from_time: from, until_time: until }: (typeof rows)[number], ms: number) => {
    const now = new Date(ms).toISOString().slice(11, 16);
    return from <= until ? from <= now && now < until : from <= now || now < until;
  };
  const nowMs = [time.nowMs(), ...instances().map((instance) => instance.nowMs())];
  const latelyMs = nowMs.flatMap((ms) => [ms - RECOVERED_MS, ms]);
  return new Set(
    rows.filter((row) => latelyMs.some((ms) => isQuiet(row, ms))).map(({ to_name: to }) => to),
  );
}

/** Whether an incident's end was seen only lately. */
async function isFresh(control: Scene["control"], subject: string): Promise<boolean> {
  const [row] = await control.rows<{ lately: boolean }>(
    `select coalesce(max(at) > (
         select observed_at from incident_states s where s.company = e.company
       ) - make_interval(secs => $2), false) as lately
     from incident_events e
     where e.company || ' ' || e.incident_id = $1 and kind in ('ended', 'seen_again')
     group by e.company`,
    [subject, RECOVERED_MS / 1_000],
  );
  return row?.lately ?? false;
}

/** Whether a company could be seen after one message that it can't be, and before what another tells of. */
async function wasSeenBetween(
  control: Scene["control"],
  first: string,
  second: string,
): Promise<boolean> {
  const rows = await control.rows(
    `select from deliveries a join deliveries b using (company)
     join gaps g on g.company = a.company
       and g.until_at > to_timestamp(split_part(a.key, ':', 2)::float / 1000)
       and g.until_at <= to_timestamp(split_part(b.key, ':', 2)::float / 1000) + interval '1 millisecond'
     where a.id = $1 and b.id = $2 and a.key like 'blind:%' and b.key like 'blind:%'`,
    [first, second],
  );
  return rows.length > 0;
}

/** @param before those seen a minute before */
async function readAcknowledged(
  { control, time }: Scene,
  before: ReadonlyMap<string, { sinceMs: number; untilMs: number }>,
): Promise<Map<string, { sinceMs: number; untilMs: number }>> {
  const rows = await control.rows<{ subject: string; until: Date | null }>(
    `select company || ' ' || id as subject, acknowledged_until as until from incidents
     where acknowledged_by_id is not null and ended_at is null`,
  );
  return new Map(
    rows.map(({ subject, until }) => {
      const untilMs = until?.getTime() ?? Infinity;
      const known = before.get(subject);
      return [subject, known?.untilMs === untilMs ? known : { sinceMs: time.nowMs(), untilMs }];
    }),
  );
}

const endedBy = (type: string) => [...(ENDINGS[type] ?? []), ...(ENDED_BESIDES[type] ?? [])];

const isEnding = (type: string) => ENDINGS[type] !== undefined;

const isOpening = (type: string) => Object.values(ENDINGS).flat().includes(type);

/** What a message is about; of a host, each of its companies. */
function subjectsOf({
  company,
  incident,
  fleet_incident,
  companies,
  promise,
  type,
}: Body): string[] {
  if (type.startsWith("host.")) return (companies ?? []).map(seeing);
  const slug = company?.slug ?? "";
  if (type === "company.blind" || type === "company.seen_again") return [seeing(slug)];
  if (promise !== undefined) return [`${slug} promise ${promise.id} ${promise.date}`];
  return [fleet_incident?.id ?? `${slug} ${incident?.id ?? ""}`];
}

/** Incidents that a message about a partner at several companies names. */
function namesOf({ fleet_incident: fleet }: Body): string[] {
  return (fleet?.companies ?? []).map(({ company, incident_id: id }) => `${company} ${id}`);
}

const seeing = (slug: string) => `seeing ${slug}`;

/** When what ends was opened, by the message, in true time; if that isn't said, it may have been at any time. */
function openedMs({ company, incident, fleet_incident }: Body, api: Scene["api"]): number {
  if (incident !== null) return Date.parse(incident.opened_at) - api.skewMs(company?.slug ?? "");
  if (fleet_incident === undefined) return -Infinity;
  return Math.min(
    ...fleet_incident.companies.map((one) => Date.parse(one.since) - api.skewMs(one.company)),
  );
}

/** How far our clock may be ahead of the true one, milliseconds: it was set, and wasn't taken back before `atMs`. */
function oursAheadMs({ faults, longestDelayMs }: Scene, atMs: number): number {
  const ahead = faults.flatMap(({ kind, amount, share, fromMs, untilMs }) => {
    const isOver = share < 1 && untilMs + longestDelayMs < atMs;
    return kind === "clock_jump" && fromMs <= atMs && !isOver ? Math.max(0, amount) : [];
  });
  return ahead.reduce((sum, ms) => sum + ms, 0);
}

/** Whether our clock was set between two instants, true time in epoch milliseconds. */
const wasOursSet = ({ faults }: Scene, sinceMs: number, untilMs: number): boolean =>
  faults.some(
    (fault) =>
      fault.kind === "clock_jump" &&
      [fault.fromMs, fault.untilMs].some((ms) => sinceMs <= ms && ms <= untilMs),
  );

const REMINDER = "reminder";

const isReminder = ({ type, text }: Body) => type === "incident.changed" && text.includes(REMINDS);

/** `/only-<slug>` is a destination for one company; `/all` for all of them. */
function checkCanaries(
  { to, body }: { to: string; body: string },
  companies: Scene["world"]["companies"],
): void {
  if (/secret-of-|token-\d/.test(body))
    throw new Broken("secrets", `a message to ${to} holds a secret`);
  // What the API describes its errors with is for our log only.
  if (companies.some(({ slug }) => body.includes(`canary-${slug}`)))
    throw new Broken("secrets", `a message to ${to} quotes the API`);
  const own = /^\/only-(.+)$/.exec(to)?.[1];
  if (own === undefined) return;
  for (const { slug, name } of companies) {
    const canary = /canary-\d+-canary/.exec(name)?.[0] ?? name;
    if (slug !== own && body.includes(canary))
      throw new Broken("other companies", `a message to ${to} is about ${slug}`);
  }
}
