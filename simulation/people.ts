import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import type { DeadlineRule } from "@/lib/domain/deadlines/deadline";
import { rule as deadlineRule } from "@/lib/domain/deadlines/deadline-fixture";
import { UNDO_MS } from "@/lib/domain/deletion";
import { EVERYTHING, quietDaily } from "@/lib/domain/delivery/rule-fixture";
import type { Rule } from "@/lib/domain/delivery/rule";
import {
  acknowledging,
  noting,
  unacknowledging,
} from "@/lib/server/operations/incidents/decisions";
import { addRuleForAll } from "@/lib/server/delivery/rule-fixture";
import { PAUSABLE } from "@/lib/domain/pause";
import type { Weekly } from "@/lib/domain/quiet/planned-quiet";
import type { Database } from "@/lib/server/store/database";
import {
  changeConnection,
  insertConnection,
  removeConnection,
} from "@/lib/server/store/connections/connections";
import { changeDeadlines } from "@/lib/server/store/deadlines/change-deadlines";
import {
  insertDeletion,
  stopDeletion,
  undoDeletion,
} from "@/lib/server/store/deletions/ask-deletion";
import { changeRule, readRules } from "@/lib/server/store/delivery/rules";
import { handOverAll } from "@/lib/server/store/incidents/hand-over";
import { actOnIncident, type Act } from "@/lib/server/store/incidents/incident-acts";
import { changeShareLink, insertShareLink } from "@/lib/server/store/links/share-links";
import { switchLearnedWeek } from "@/lib/server/store/learned-weeks/write-weeks";
import { endPause } from "@/lib/server/store/pauses/pauses";
import { endExpectation, insertExpectation } from "@/lib/server/store/quiet/planned-quiet";
import { people } from "@/lib/server/store/schema/people";
import { calmMs, lastRestoreMs } from "./faults";
import { channelSeal, connectionSeals } from "./instance";
import { uuidOf, type Random } from "./random";
import { isThere } from "./schedule-files";
import type { Scene } from "./simulation";
import { readStoredConnections, type StoredConnection } from "./stored-connections";
import { WEEKS_LEARNED_AFTER_DAYS, type WorldCompany } from "./world";

const DAY_MS = 24 * 60 * 60_000;
const ADA = { id: "00000000-0000-4000-8000-000000000001", name: "Ada", email: "ada@example.com" };
const BO = { id: "00000000-0000-4000-8000-000000000002", name: "Bo", email: "bo@example.com" };
const ZONES = ["UTC", "Europe/Oslo", "America/New_York", "Australia/Lord_Howe"] as const;

/** The only interval that rules ask for. */
export const REMIND_EVERY_MINUTES = 60;

/** What people do in a simulation: they act through the database, as requests do. */
export type People = {
  /** Rules that send everything: one for all companies, and one for each. */
  populate(scene: Scene): Promise<void>;
  /** Called each simulated minute. */
  act(scene: Scene): Promise<void>;
};

/** One act. `nowMs`: the clock of the instance that is asked; `apiNowMs`: that of the company's API, as it knows it. */
type Given = {
  scene: Scene;
  instance: ReturnType<Scene["instances"]>[number];
  company: WorldCompany;
  person: typeof ADA;
  act: Act;
  apiNowMs: number;
};

/** How often a simulated day sees each act, on average. */
const PER_DAY = {
  deleteFiles: 16,
  changeDeletion: 8,
  acknowledge: 24,
  unacknowledge: 6,
  note: 6,
  handOver: 4,
  share: 4,
  revoke: 3,
  planQuiet: 3,
  endQuiet: 2,
  promise: 6,
  changePromise: 3,
  removePromise: 2,
  changeRule: 4,
  pauseConnection: 1,
  removeConnection: 1,
  changeTimeZone: 1,
  switchLearnedWeek: 1,
} as const;
/** After how long a paused connection is resumed, on average: mostly too soon to hide a day that weeks are learned from. */
const RESUMED_AFTER_MINUTES = 30;
/** After how long a person enters the secret that an API asks for, on average. */
const RENEWED_AFTER_MINUTES = 20;

export function createPeople(database: Database, random: Random): People {
  const secret = `whsec_${Buffer.alloc(32).toString("base64")}`;
  const addRule = (scene: Scene, path: string, rule: Partial<Rule>) =>
    addRuleForAll(database.orm, {
      atMs: scene.time.nowMs(),
      sealed: channelSeal().close(
        JSON.stringify({
          kind: "webhook",
          settings: { url: `https://receiver.example.com${path}`, secret },
        }),
      ),
      channel: { kind: "webhook", name: path },
      rule: { ...EVERYTHING, promises: "at_risk", ...rule },
    });

  const incidentOf = async ({ scene, company }: Given) => {
    const rows = await scene.control.rows<{ id: number }>(
      "select id from incidents where company = $1 and ended_at is null order by id",
      [company.slug],
    );
    return one(random, rows)?.id;
  };
  const decided = async (given: Given, decide: Parameters<typeof actOnIncident>[2]) => {
    const id = await incidentOf(given);
    if (id !== undefined)
      await actOnIncident(database, { company: given.company.slug, id, act: given.act }, decide);
  };
  const deletionOf = async ({ scene, company }: Given) => {
    const rows = await scene.control.rows<{ id: string }>(
      "select id from deletions where company = $1 and state in ('waiting', 'running') order by id",
      [company.slug],
    );
    return one(random, rows)?.id;
  };

  /** Connects a company, at first or again. */
  const connect = async (scene: Scene, { slug, name, host }: WorldCompany, act: Act) => {
    const connection = { baseUrl: `https://${host}/api/v3`, clientId: slug };
    await insertConnection(
      database,
      {
        ...connection,
        company: slug,
        name,
        sealed: connectionSeals()(connection).close(scene.api.secret(slug)),
        timeZone: null,
        externalId: null,
      },
      act,
    );
  };

  const acts: Record<keyof typeof PER_DAY, (given: Given) => Promise<unknown>> = {
    async deleteFiles({ scene, instance, company, person, act }) {
      const files = scene.api
        .files(company.slug)
        .filter((file) => isThere(file, scene.time.nowMs()))
        .map(({ served }) => served);
      const chosen = files.filter(() => random.chance(0.2)).slice(0, 5);
      if (chosen.length === 0) return;
      const asked = await insertDeletion(database, {
        company: company.slug,
        person,
        idempotencyKey: uuidOf(random),
        bodyHash: "",
        requestId: uuidOf(random),
        nowMs: act.nowMs,
        undoUntilMs: act.nowMs + UNDO_MS,
        files: chosen.map(
          ({ id: fileId, name, is_baseline, created_at, customer_project, file_type }) => ({
            confirmed: { id: fileId, name, is_baseline, created_at, customer_project },
            fileType: file_type,
            project: null,
          }),
        ),
        mostOpen: 100,
      });
      if (typeof asked !== "string") instance.deletions.accept(asked.id);
    },
    async changeDeletion(given) {
      const id = await deletionOf(given);
      if (id === undefined) return;
      const { company, person, act } = given;
      const change = random.pick([undoDeletion, stopDeletion]);
      await change(database, {
        company: company.slug,
        id,
        by: person,
        requestId: uuidOf(random),
        nowMs: act.nowMs,
      });
    },
    async acknowledge(given) {
      const ms = given.act.nowMs + random.whole(10, 300) * 60_000;
      const until = random.chance(0.3) ? new Date(ms).toISOString() : null;
      await decided(given, acknowledging({ note: "on it", until }, given.act));
    },
    unacknowledge: (given) => decided(given, unacknowledging(given.act)),
    note: (given) =>
      decided(
        given,
        noting({
          text: "called them",
          told_customer: random.chance(0.5),
          to_channels: random.chance(0.5),
        }),
      ),
    handOver: ({ scene, act, person }) =>
      handOverAll(database, {
        act,
        isAdministrator: true,
        companies: scene.world.companies.map(({ slug, name }) => ({ company: slug, name })),
        to: person === ADA ? BO : ADA,
        until: new Date(act.nowMs + random.whole(1, 48) * 3_600_000),
        mayTake: () => {},
      }),
    async share({ company, person, act }) {
      const partner = one(random, company.feeds)?.partner ?? "";
      await insertShareLink(
        database,
        {
          company: company.slug,
          tokenHash: uuidOf(random),
          previewId: uuidOf(random),
          partnerName: partner,
          incidentId: null,
          shows: "now",
          stored: {} as never,
          forWhom: null,
          hasDetailsInPreview: false,
          madeBy: person.id,
          createdAt: new Date(act.nowMs),
          expiresAt: new Date(act.nowMs + 7 * DAY_MS),
        },
        { action: { ...act, requestId: uuidOf(random) }, most: 200, nowMs: act.nowMs },
      );
    },
    async revoke({ scene, company, person, act }) {
      const rows = await scene.control.rows<{ id: string }>(
        "select id from share_links where company = $1 and revoked_at is null order by id",
        [company.slug],
      );
      const link = one(random, rows);
      if (link === undefined) return;
      await changeShareLink(
        database,
        { company: company.slug, id: link.id, whose: null },
        "revoke",
        () => ({ revokedAt: new Date(act.nowMs), revokedByName: person.name }),
        { ...act, requestId: uuidOf(random) },
      );
    },
    async planQuiet({ company, person, act, apiNowMs }) {
      const feed = one(random, company.feeds);
      if (feed === undefined) return;
      const isOne = random.chance(0.3);
      const fromMs = apiNowMs + random.whole(0, 120) * 60_000;
      const weekly = random.chance(0.4) ? someHours(random) : null;
      const minutes = weekly === null ? random.whole(30, 600) : random.whole(300, 10_000);
      const isEndless = weekly !== null && random.chance(0.3);
      await insertExpectation(
        database,
        {
          id: uuidOf(random),
          company: company.slug,
          partnerName: feed.partner,
          endpointId: isOne ? feed.id : null,
          endpointKey: isOne ? feed.key : null,
          reason: "maintenance",
          fromAt: new Date(fromMs),
          untilAt: isEndless ? null : new Date(fromMs + minutes * 60_000),
          weekly,
          madeById: person.id,
          madeByName: person.name,
          madeAt: new Date(apiNowMs),
        },
        { act, most: 100, subject: feed.partner },
      );
    },
    async endQuiet({ scene, company, act, apiNowMs }) {
      const rows = await scene.control.rows<{ id: string }>(
        "select id from expectations where company = $1 and ended_at is null order by id",
        [company.slug],
      );
      const quiet = one(random, rows);
      if (quiet === undefined) return;
      const ended = { company: company.slug, id: quiet.id, atMs: apiNowMs };
      await endExpectation(database, ended, act, () => "quiet");
    },
    async promise({ company, act, apiNowMs }) {
      const feed = one(random, company.feeds);
      if (feed === undefined) return;
      const partner = random.chance(0.5) ? feed.partner : null;
      const isOne = random.chance(0.6);
      const rule = somePromise(random);
      await changeDeadlines(
        database,
        company.slug,
        () => [
          {
            kind: "make",
            subject: feed.partner,
            values: {
              partnerName: isOne ? feed.partner : partner,
              endpointId: isOne ? feed.id : null,
              endpointKey: isOne ? feed.key : null,
              rule,
              targetPercent: 95,
              note: null,
            },
          },
        ],
        { change: act, atMs: apiNowMs, most: 100 },
      );
    },
    changePromise: ({ company, act, apiNowMs }) =>
      changeDeadlines(
        database,
        company.slug,
        (before) => {
          const changed = one(random, before);
          if (changed === undefined) return [];
          const values = { rule: somePromise(random), targetPercent: 90, note: "changed" };
          return [{ kind: "change", id: changed.id, subject: "promise", values }];
        },
        { change: act, atMs: apiNowMs, most: 100 },
      ),
    removePromise: ({ company, act, apiNowMs }) =>
      changeDeadlines(
        database,
        company.slug,
        (before) => {
          const gone = one(random, before);
          return gone === undefined ? [] : [{ kind: "remove", id: gone.id, subject: "promise" }];
        },
        { change: act, atMs: apiNowMs, most: 100 },
      ),
    async changeRule({ act }) {
      const all = await readRules(database.orm);
      // The one about all companies stays as it is: it sends everything.
      const rule = one(
        random,
        all.filter((row) => row.rule.companies !== "all"),
      );
      if (rule === undefined) return;
      const changed: Partial<Rule> = random.pick<Partial<Rule>>([
        { from_verdict: "failing" },
        { from_verdict: "late", after_minutes: 0, quiet: null, unacknowledged_only: false },
        { after_minutes: 30 },
        { unacknowledged_only: true },
        { remind_every_minutes: REMIND_EVERY_MINUTES },
        { quiet: quietDaily("22:00", "06:00") },
        { promises: "missed" },
      ]);
      await changeRule(
        database,
        rule.id,
        (before) => ({ ...before, rule: { ...before.rule, ...changed } }),
        act,
      );
    },
    async pauseConnection({ scene, company, act }) {
      if (isCalm(scene)) return;
      await changeConnection(database, company.slug, { isPaused: true }, act);
      scene.note(`the connection of ${company.slug} is paused`);
    },
    async removeConnection({ scene, company, act }) {
      if (isCalm(scene)) return;
      if (await removeConnection(database, company.slug, act))
        scene.note(`the connection of ${company.slug} is removed`);
    },
    async changeTimeZone({ scene, company, act }) {
      const timeZone = random.pick([null, ...ZONES]);
      await changeConnection(database, company.slug, { timeZone }, act);
      scene.note(`reports of ${company.slug} are in ${timeZone ?? "the default zone"}`);
    },
    async switchLearnedWeek({ scene, company, act, apiNowMs }) {
      const feed = one(random, company.feeds);
      if (feed === undefined) return;
      // Where weeks can be learned, most feeds are left on for it.
      const onRate = scene.plan.days > WEEKS_LEARNED_AFTER_DAYS ? 0.9 : 0.5;
      await switchLearnedWeek(
        database,
        { company: company.slug, endpointId: feed.id },
        random.chance(onRate),
        { change: act, subject: feed.key, atMs: apiNowMs },
      );
    },
  };

  /**
   * Connections that are paused or removed go on, and get the secret that their API asks for: after a while, or once
   * everything has to recover.
   */
  async function tendConnections({ scene, act }: Pick<Given, "scene" | "act">): Promise<void> {
    const isOver = (averageMinutes: number) => random.chance(1 / averageMinutes) || isCalm(scene);
    const stored = new Map(
      (await readStoredConnections(scene.control)).map((found) => [found.company, found]),
    );
    for (const company of scene.world.companies) {
      const { slug } = company;
      const connection = stored.get(slug);
      if (connection === undefined) continue;
      if (connection.isRemoved) {
        if (!isOver(RESUMED_AFTER_MINUTES)) continue;
        await connect(scene, company, act);
        scene.note(`${slug} is connected again`);
        continue;
      }
      if (connection.isPaused && isOver(RESUMED_AFTER_MINUTES)) {
        await changeConnection(database, slug, { isPaused: false }, act);
        scene.note(`the connection of ${slug} is resumed`);
      }
      if (connection.secret !== scene.api.secret(slug) && isOver(RENEWED_AFTER_MINUTES))
        await enterSecret(scene, connection, act);
    }
  }

  /** Enters the secret that the API asks for; until everything has to recover, perhaps a wrong one. */
  async function enterSecret(
    scene: Scene,
    { company, seal }: StoredConnection,
    act: Act,
  ): Promise<void> {
    const isWrong = random.chance(0.2) && !isCalm(scene);
    const entered = isWrong ? `secret-of-${company}-mistyped` : scene.api.secret(company);
    await changeConnection(database, company, { sealed: seal.close(entered) }, act);
    scene.note(`the connection of ${company} gets ${isWrong ? "a wrong" : "the new"} secret`);
  }

  /** After a restore, an administrator looks at it for a while, and then lets everything go on. */
  async function resume({ scene, act }: Pick<Given, "scene" | "act">): Promise<void> {
    if (lastRestoreMs(scene.faults, scene.time.nowMs()) === null) return;
    const paused = await scene.control.rows<{ what: string }>(
      "select what from pauses order by what",
    );
    const what = PAUSABLE.find((pausable) => paused.some((row) => row.what === pausable));
    if (what === undefined || !random.chance(1 / 20)) return;
    await endPause(database, what, {
      ...act,
      requestId: uuidOf(random),
      companies: scene.world.companies.map(({ slug }) => slug),
    });
  }

  return {
    async populate(scene) {
      const createdAt = new Date(scene.time.nowMs());
      await database.orm.insert(people).values([ADA, BO].map((who) => ({ ...who, createdAt })));
      await addRule(scene, "/all", {});
      for (const company of scene.world.companies)
        await connect(scene, company, { person: ADA, nowMs: scene.time.nowMs() });
      for (const { slug } of scene.world.companies)
        await addRule(scene, `/only-${slug}`, {
          companies: [slug],
          remind_every_minutes: random.chance(0.5) ? REMIND_EVERY_MINUTES : null,
        });
    },
    async act(scene) {
      const instance = one(random, scene.instances());
      const company = one(random, scene.world.companies);
      if (instance === undefined || company === undefined) return;
      const nowMs = instance.nowMs();
      const person = random.pick([ADA, BO]);
      const act = { person, nowMs, requestId: uuidOf(random) };
      const apiNowMs = nowMs + instance.view(company.slug).source.api_clock_offset_ms;
      const given = { scene, instance, company, person, act, apiNowMs };
      await resume(given);
      await tendConnections(given);
      for (const [name, perDay] of Object.entries(PER_DAY) as [keyof typeof PER_DAY, number][])
        if (random.chance(perDay / (24 * 60))) await acts[name](given);
    },
  };
}

/** Whether the end of a run has begun, in which everything recovers. */
function isCalm({ plan, time, world }: Scene): boolean {
  return time.nowMs() >= world.startMs + plan.days * DAY_MS - calmMs(plan);
}

/** "07:15" */
function timeOfDay(random: Random): string {
  return `${String(random.whole(0, 23)).padStart(2, "0")}:${random.pick(["00", "15", "30"])}`;
}

/** Data by a time of day, on most days. */
function somePromise(random: Random): DeadlineRule {
  const days = WEEKDAYS.filter(() => random.chance(0.9));
  return deadlineRule({
    by: timeOfDay(random),
    days: days.length === 0 ? [...WEEKDAYS] : days,
    timeZone: random.pick(ZONES),
    allowanceMinutes: random.pick([0, 0, 15, 60]),
  });
}

/** Hours on some days of every week. */
function someHours(random: Random): Weekly {
  const from = timeOfDay(random);
  const until = random.chance(0.1) ? "24:00" : timeOfDay(random);
  const days = WEEKDAYS.filter(() => random.chance(0.7));
  return {
    days: days.length === 0 ? WEEKDAYS : days,
    from,
    until: until === from ? "24:00" : until,
    timeZone: random.pick(ZONES),
  };
}

function one<T>(random: Random, from: readonly T[]): T | undefined {
  return from[Math.floor(random.next() * from.length)];
}
