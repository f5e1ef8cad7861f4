import { calmMs, RECOVERED_MS } from "../faults";
import { Broken, type Scene } from "../simulation";
import { createRestoreWatch } from "./restore-watch";

type Told = { id: string; type: string; atMs: number; subject: string };
type Body = {
  id: string;
  type: string;
  company: { slug: string } | null;
  incident: { id: number } | null;
  fleet_incident?: { id: string; companies: { since: string }[] };
};

const MINUTE_MS = 60_000;

const ENDINGS: Readonly<Record<string, string>> = {
  "incident.ended": "incident.opened",
  "partner.ended": "partner.opened",
  "company.limited_ended": "company.limited",
};

/**
 * Messages, as a receiver knows them: repetitions have the same id, every opening comes once and has at most one ending
 * after it, and no company's text reaches a destination of another.
 */
export function createMessagesCheck() {
  const told = new Map<string, Told[]>();
  let checked = 0;
  const isRestored = createRestoreWatch();
  let restoredMs = -Infinity;
  return async (scene: Scene, isEnd: boolean): Promise<void> => {
    await take(scene);
    if (isRestored(scene)) restoredMs = scene.time.nowMs();
    if (!isEnd) return;
    await checkOpenings(scene);
    await checkEndings(scene);
  };

  async function take({ control, receivers, world }: Scene): Promise<void> {
    for (; checked < receivers.received.length; checked += 1) {
      const one = receivers.received[checked];
      if (one === undefined) return;
      checkCanaries(one, world.companies);
      const body = JSON.parse(one.body) as Body;
      if (body.id !== one.id) throw new Broken("messages", `${one.id} says that it is ${body.id}`);
      const later = body.fleet_incident?.companies.find(
        ({ since }) => Date.parse(since) > one.atMs + MINUTE_MS,
      );
      if (later !== undefined)
        throw new Broken(
          "messages",
          `${body.id} to ${one.to} tells of trouble since ${later.since}`,
        );
      const known = told.get(one.to) ?? [];
      told.set(one.to, known);
      if (known.some(({ id }) => id === one.id)) continue;
      const subject =
        body.fleet_incident?.id ?? `${body.company?.slug ?? ""} ${body.incident?.id ?? ""}`;
      const opening = ENDINGS[body.type];
      const before = known.findLast(
        (other) =>
          (other.subject === subject && [opening, body.type].includes(other.type)) ||
          (other.subject === subject && ENDINGS[other.type] === body.type),
      );
      // A restored outbox forgets what was sent since the backup, and gives numbers of incidents again.
      const isForgotten = (before?.atMs ?? 0) < restoredMs;
      if (isOpening(body.type) && before?.type === body.type && !isForgotten)
        throw new Broken("messages", `${one.to} got two ${body.type} of ${subject} in a row`);
      const isOpened =
        opening === undefined ||
        before?.type === opening ||
        isForgotten ||
        (await wasIncluded(control, one.to, subject));
      if (!isOpened)
        throw new Broken(
          "messages",
          `${one.to} got ${body.type} of ${subject} without its opening`,
        );
      known.push({ id: one.id, type: body.type, atMs: one.atMs, subject });
    }
  }

  /** What was opened is still open, or its end was sent, perhaps with that of its partner. */
  async function checkEndings({ control, time, plan }: Scene): Promise<void> {
    if (calmMs(plan) < RECOVERED_MS) return;
    const over = await control.rows<{ subject: string; fleet: string | null }>(
      `select i.company || ' ' || i.id as subject, m.fleet_id::text as fleet
       from incidents i left join fleet_members m on m.company = i.company and m.incident_id = i.id
       where ended_at is not null
       union all
       select id::text, null from fleet_incidents where closed_at is not null`,
    );
    for (const [to, all] of told)
      for (const { subject, fleet } of over) {
        const last = all.findLast(
          (one) => one.subject === subject && (isOpening(one.type) || isEnding(one.type)),
        );
        if (last === undefined || isEnding(last.type)) continue;
        if (last.atMs > time.nowMs() - RECOVERED_MS) continue;
        const isWithPartner =
          fleet !== null &&
          all.some(({ type, subject: other }) => other === fleet && type.startsWith("partner."));
        if (!isWithPartner && !(await isFresh(control, subject)))
          throw new Broken(
            "messages",
            `${to} got ${last.type} of ${subject}, and never its ending`,
          );
      }
  }
}

/** What ends sooner may be over before it is told. */
const LEAST_TOLD_MS = 5 * 60_000;

/** What lasted was told to the destination that is told everything. */
async function checkOpenings(scene: Scene): Promise<void> {
  const { control, plan, api, time, faults, world } = scene;
  if (calmMs(plan) < RECOVERED_MS || faults.some(({ kind }) => kind === "restore")) return;
  for (const { slug } of world.companies) {
    const [untold] = await control.rows<{ id: number }>(
      `select id from incidents i
       where company = $1 and opened_at < $2 and coalesce(ended_at, 'infinity') > opened_at + make_interval(secs => $3)
         and not exists (
           select from deliveries d where d.company = i.company and d.incident_id = i.id
             and d.type = 'incident.opened' and d.to_name = '/all')
       order by id limit 1`,
      [
        slug,
        new Date(time.nowMs() + api.skewMs(slug) - RECOVERED_MS),
        (LEAST_TOLD_MS + 2 * scene.longestDelayMs) / 1_000,
      ],
    );
    if (untold !== undefined)
      throw new Broken("messages", `/all was never told of incident ${untold.id} of ${slug}`);
  }
}

/** Whether an incident's opening was told within another message, such as a summary after quiet hours. */
async function wasIncluded(
  control: Scene["control"],
  to: string,
  subject: string,
): Promise<boolean> {
  const found = await control.rows(
    `select from deliveries
     where to_name = $1 and company || ' ' || incident_id = $2 and type = 'incident.opened' and told_in is not null`,
    [to, subject],
  );
  return found.length > 0;
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

const isEnding = (type: string) => ENDINGS[type] !== undefined;

const isOpening = (type: string) => Object.values(ENDINGS).includes(type);

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
