import { expect } from "vitest";
import {
  KeptView,
  PromiseImported,
  PromisesView,
  PromiseView,
  RehearsalView,
} from "@/lib/contracts/promises";
import { MAX_DEADLINES, MAX_PER_SCOPE } from "@/lib/domain/deadlines/deadline";
import { rule } from "@/lib/domain/deadlines/deadline-fixture";
import { dayOf } from "@/lib/domain/time/day";
import { weekdayOf } from "@/lib/domain/time/weekdays";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { readActions, UNFILTERED } from "@/lib/server/store/audit/activity";
import { deadlineDays, deadlines } from "@/lib/server/store/schema/deadlines";
import { landings } from "@/lib/server/store/schema/record";
import { rowBudget } from "@/lib/server/store/most-rows";
import { listPromises, listPromisesOf } from "./promises";

const PATH = "/companies/northgate/promises";
const LOGS: Found = { id: "n1", partner: "Procore", key: "daily_logs", verdict: "fresh" };
const MAIL: Found = { id: "n2", partner: "=Aconex", key: "mail", verdict: "fresh" };

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.check("northgate", [LOGS, MAIL]);
});

type Who = keyof IncidentsApp["people"];
const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri"];
const DAILY = { by: "07:00", days: WEEKDAYS, time_zone: "Europe/Oslo" };
const make = (app: IncidentsApp, body: Record<string, unknown> = {}, as: Who = "ana") =>
  app.ask(as, "POST", PATH, { ...DAILY, ...body });
const made = async (app: IncidentsApp, body: Record<string, unknown> = {}) => {
  const answer = await make(app, body);
  expect(answer.status).toBe(201);
  return PromiseView.parse(await answer.json());
};
const list = async (app: IncidentsApp, as: Who = "vera") =>
  PromisesView.parse(await (await app.ask(as, "GET", PATH)).json()).data;
const importFile = (app: IncidentsApp, csv: string, dry_run = false) =>
  app.ask("ana", "POST", `${PATH}/import`, { csv, dry_run });
const csv = async (app: IncidentsApp) => (await app.ask("vera", "GET", `${PATH}/csv`)).text();
const errorOf = async (answer: Response) =>
  ((await answer.json()) as { error_description: string }).error_description;
const today = (app: IncidentsApp, zone = "UTC") => dayOf(app.clock.nowMs(), zone);
const inDays = (app: IncidentsApp, days: number) => dayOf(app.clock.nowMs() + days * DAY_MS, "UTC");

test("is made by a member, changed by another, visible to viewers, and deleted", async ({
  app,
}) => {
  const one = await made(app, {
    endpoint_id: "n1",
    note: " Contract 4.2 ",
    holidays: ["2026-12-25"],
  });
  expect(one).toMatchObject({
    ...DAILY,
    partner: "Procore",
    endpoint_id: "n1",
    month_days: null,
    data_from: null,
    allowance_minutes: 0,
    note: "Contract 4.2",
    holidays: ["2026-12-25"],
    author: { id: app.people.ana.id },
  });
  // An hourly feed: the window begins two hours before.
  const next = one.next;
  expect(Date.parse(next?.due_at ?? "") - Date.parse(next?.from_at ?? "")).toBe(2 * HOUR_MS);

  const changed = await app.ask("bo", "PATCH", `${PATH}/${one.id}`, {
    allowance_minutes: 20,
    note: null,
    days: null,
    month_days: ["last_workday", 15, 1],
  });
  expect(await changed.json()).toMatchObject({
    allowance_minutes: 20,
    note: null,
    days: null,
    month_days: [1, 15, "last_workday"],
    author: { id: app.people.ana.id },
  });
  expect((await list(app))[0]).toMatchObject({ id: one.id, allowance_minutes: 20 });
  for (const body of [{}, { allowance_minutes: 20, month_days: [1, "last_workday", 15] }]) {
    const again = await app.ask("bo", "PATCH", `${PATH}/${one.id}`, body);
    expect(PromiseView.parse(await again.json())).toEqual((await list(app))[0]);
  }

  expect((await app.ask("bo", "DELETE", `${PATH}/${one.id}`)).status).toBe(204);
  expect(await list(app)).toEqual([]);
  expect((await app.ask("bo", "DELETE", `${PATH}/${one.id}`)).status).toBe(404);
  const actions = await readActions(app.database, "northgate", UNFILTERED, {
    start: { offset: 0 },
    limit: 3,
  });
  expect(
    actions.map(({ rows: [{ kind, event, detail }] }) => [kind, event, detail["subject"]]),
  ).toEqual(
    ["remove", "change", "make"].map((verb) => ["promise", `${verb}.asked`, "Procore, daily_logs"]),
  );
});

test("is refused to viewers, and doesn't exist for people of other companies", async ({ app }) => {
  const { id } = await made(app);
  expect((await make(app, {}, "vera")).status).toBe(403);
  for (const [as, status] of [
    ["vera", 403],
    ["hal", 404],
  ] as const) {
    expect((await app.ask(as, "PATCH", `${PATH}/${id}`, { by: "08:00" })).status).toBe(status);
    expect((await app.ask(as, "DELETE", `${PATH}/${id}`)).status).toBe(status);
    const rehearsal = { ...DAILY, since: "2026-10-01", until: "2026-10-31" };
    expect((await app.ask(as, "POST", `${PATH}/rehearsal`, rehearsal)).status).toBe(status);
    expect((await app.ask(as, "POST", `${PATH}/import`, { csv: "" })).status).toBe(status);
  }
  for (const path of ["", "/csv", "/kept"])
    expect((await app.ask("hal", "GET", `${PATH}${path}`)).status).toBe(404);
  const elsewhere = `/companies/harbour/promises/${id}`;
  expect((await app.ask("hal", "PATCH", elsewhere, { by: "08:00" })).status).toBe(404);
  expect((await app.ask("hal", "DELETE", elsewhere)).status).toBe(404);
  expect(await list(app)).toHaveLength(1);
});

test.for<[string, (app: IncidentsApp) => Record<string, unknown>]>([
  ["no days", () => ({ days: null })],
  ["both kinds of days", () => ({ month_days: [1] })],
  ["an empty list of days", () => ({ days: [] })],
  ["a day that no month has", () => ({ days: null, month_days: [32] })],
  ["a time that no day has", () => ({ by: "24:00" })],
  ["data from a later time", () => ({ data_from: "07:00" })],
  ["a time before which no data of its day can arrive", () => ({ by: "00:00" })],
  ["an offset instead of a zone", () => ({ time_zone: "+02:00" })],
  ["an offset by a zone's name", () => ({ time_zone: "Etc/GMT+5" })],
  ["an abbreviation instead of a zone", () => ({ time_zone: "EST" })],
  ["an unknown zone", () => ({ time_zone: "Europe/Atlantis" })],
  ["a date that no calendar has", () => ({ holidays: ["2026-02-29"] })],
  ["too many holidays", () => ({ holidays: Array.from({ length: 401 }, () => "2026-12-25") })],
  ["a first day before today", (app) => ({ from: inDays(app, -1) })],
  ["a last day before the first", (app) => ({ from: inDays(app, 9), until: inDays(app, 8) })],
  ["a long note", () => ({ note: "x".repeat(1001) })],
  ["a target above 100", () => ({ target_percent: 101 })],
  ["another company's partner", () => ({ partner: "Nowhere" })],
  ["an endpoint of another partner", () => ({ partner: "Procore", endpoint_id: "n2" })],
  ["an unknown property", () => ({ company: "harbour" })],
])("refuses %s", async ([, body], { app }) => {
  expect((await make(app, body(app))).status).toBe(400);
  const { id } = await made(app);
  const { partner: _, endpoint_id: __, ...change } = body(app);
  if (Object.keys(change).length > 0)
    expect((await app.ask("ana", "PATCH", `${PATH}/${id}`, change)).status).toBe(400);
  expect(await list(app)).toHaveLength(1);
});

test("says of a last day whether it has passed, or is before the first", async ({ app }) => {
  const refused = async (body: Record<string, unknown>) =>
    (await (await make(app, body)).json()) as { error_description: string };
  const yesterday = inDays(app, -1);
  expect((await refused({ until: yesterday })).error_description).toBe(
    "until can’t be before today: the promise would never apply.",
  );
  const mixedUp = { from: inDays(app, 9), until: inDays(app, 8) };
  expect((await refused(mixedUp)).error_description).toBe("until can’t be before from.");
  expect((await refused({ until: "tomorrow" })).error_description).toBe(
    "until is missing or not valid.",
  );
  const rehearsal = { ...DAILY, since: "2026-10-31", until: "2026-10-01" };
  const rehearsed = await app.ask("ana", "POST", `${PATH}/rehearsal`, rehearsal);
  expect(await rehearsed.text()).toContain("until can’t be before since.");
  const line = `by,days,time_zone,until\r\n07:00,mon,Europe/Oslo,${yesterday}\r\n`;
  expect(await (await importFile(app, line)).text()).toContain("“until” can’t be before today");
  expect(await list(app)).toEqual([]);
});

test("refuses dates without any of its days, and a time at which its day starts", async ({
  app,
}) => {
  const tomorrow = inDays(app, 1);
  const other = WEEKDAYS.filter((day) => day !== weekdayOf(tomorrow));
  const never = { days: other, from: tomorrow, until: tomorrow };
  const noDay = "until leaves none of its days: the promise would never apply.";
  expect(await errorOf(await make(app, never))).toBe(noDay);
  const holiday = { from: tomorrow, until: tomorrow, holidays: [tomorrow] };
  expect(await errorOf(await make(app, holiday))).toBe(noDay);
  const midnight = "can’t be 00:00 without an allowance: the day starts then";
  expect(await errorOf(await make(app, { by: "00:00" }))).toBe(`by ${midnight}.`);
  const lines = `by,days,time_zone,from,until\r\n07:00,${other.join(" ")},Europe/Oslo,${tomorrow},${tomorrow}\r\n00:00,mon,UTC,,\r\n`;
  expect(await (await importFile(app, lines, true)).json()).toMatchObject({
    errors: [
      { line: 2, message: "“until” leaves none of its days: the promise would never apply." },
      { line: 3, message: `“by” ${midnight}.` },
    ],
  });
  expect(await list(app)).toEqual([]);

  await made(app, { by: "00:00", allowance_minutes: 30 });
  const { id } = await made(app, { ...never, days: [weekdayOf(tomorrow)] });
  const changed = await app.ask("ana", "PATCH", `${PATH}/${id}`, { days: other });
  expect([changed.status, await errorOf(changed)]).toEqual([400, noDay]);
});

test("ends when its last day is set back, and is then still imported unchanged", async ({
  app,
}) => {
  const { id } = await made(app);
  const until = inDays(app, -1);
  expect((await app.ask("ana", "PATCH", `${PATH}/${id}`, { until })).status).toBe(200);
  expect(await list(app)).toMatchObject([{ until, next: null }]);
  const again = await importFile(app, await csv(app));
  expect(await again.json()).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
});

test("takes a zone by a former name, and keeps a first day that has passed", async ({ app }) => {
  const { id, time_zone: zone } = await made(app, {
    time_zone: "Asia/Calcutta",
    from: today(app, "Asia/Kolkata"),
  });
  expect(zone).toBe("Asia/Kolkata");
  await app.clock.advance(5 * DAY_MS);
  await app.people.ana.browser.signIn("ana@example.com");
  const answer = await app.ask("ana", "PATCH", `${PATH}/${id}`, { by: "08:00" });
  expect(await answer.json()).toMatchObject({ by: "08:00" });
  const earlier = { from: inDays(app, -1) };
  expect((await app.ask("ana", "PATCH", `${PATH}/${id}`, earlier)).status).toBe(400);
});

test("is exported with neutralised formulas, which the import takes back unchanged", async ({
  app,
}) => {
  await made(app, {
    endpoint_id: "n2",
    note: '=1+1; "x"\n-2',
    holidays: ["2026-12-24", "2026-12-25"],
  });
  await made(app, {
    days: null,
    month_days: [1, "last"],
    from: inDays(app, 1),
    target_percent: 99.5,
  });
  const file = await csv(app);
  expect(file).toContain("'=Aconex");
  expect(file).not.toMatch(/(?:^|,)"?=/m);
  const before = await list(app);
  const again = PromiseImported.parse(await (await importFile(app, file)).json());
  expect(again).toEqual({ dry_run: false, added: 0, changed: 0, unchanged: 2, errors: [] });
  expect(await list(app)).toEqual(before);
});

test("takes back equal promises, and adds a repeated line once", async ({ app }) => {
  for (const _ of [1, 2, 3]) await made(app, { note: "as agreed" });
  const file = await csv(app);
  const plan = { dry_run: true, added: 0, changed: 0, unchanged: 3, errors: [] };
  expect(await (await importFile(app, file, true)).json()).toEqual(plan);
  expect(await (await importFile(app, file)).json()).toEqual({ ...plan, dry_run: false });
  expect(await list(app)).toHaveLength(3);
  const head = "by,days,time_zone,note\n";
  const line = "09:00,sat,Europe/Oslo,";
  const added = await importFile(app, `${head}${line}a\n${line}a\n`);
  expect(await added.json()).toMatchObject({ added: 1, changed: 0, unchanged: 1 });
  expect(await list(app)).toHaveLength(4);
  const different = await importFile(app, `${head}${line}a\n${line}b\n`);
  expect(different.status).toBe(400);
  expect(await errorOf(different)).toContain("the same promise as in line 2");
});

test("takes back promises that differ in their notes only, and refuses a line that could change any of them", async ({
  app,
}) => {
  for (const note of ["first", "second"]) await made(app, { note });
  const before = await list(app);
  const file = await csv(app);
  const again = await importFile(app, file);
  expect(await again.json()).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
  const edited = await importFile(app, file.replace("second", "third"));
  expect(edited.status).toBe(400);
  expect(await errorOf(edited)).toContain("There are 2 promises with this scope");
  expect(await list(app)).toEqual(before);
});

test("imports lines that add and change promises, and again changes nothing", async ({ app }) => {
  const head = "by,days,time_zone,partner,allowance_minutes,note\r\n";
  const file = `${head}07:00,mon tue wed thu fri,Europe/Oslo,Procore,15,first\r\n09:00,sat,Europe/Oslo,,,\r\n`;
  const plan = { dry_run: true, added: 2, changed: 0, unchanged: 0, errors: [] };
  expect(await (await importFile(app, file, true)).json()).toEqual(plan);
  expect(await list(app)).toEqual([]);
  expect(await (await importFile(app, file)).json()).toEqual({ ...plan, dry_run: false });
  expect(await list(app)).toMatchObject([
    { partner: "Procore", allowance_minutes: 15, note: "first" },
    { partner: null, days: ["sat"], allowance_minutes: 0, note: null },
  ]);
  const changed = await importFile(app, file.replace(",15,first", ",30,"));
  expect(await changed.json()).toMatchObject({ added: 0, changed: 1, unchanged: 1 });
  expect((await list(app))[0]).toMatchObject({ allowance_minutes: 30, note: null });
});

test("is listed from memory until one changes, a check comes in or a minute passes", async ({
  app,
}) => {
  const { id } = await made(app, { endpoint_id: "n1" });
  const runtime = app.handlersRuntime;
  const asked = () => listPromises(runtime, { company: "northgate" });
  const before = await asked();
  expect(await asked()).toBe(before);
  await app.ask("ana", "PATCH", `${PATH}/${id}`, { note: "new" });
  const changed = await asked();
  expect(changed.data).toMatchObject([{ id, note: "new" }]);
  await app.check("northgate", [MAIL]);
  const checked = await asked();
  expect(checked).not.toBe(changed);
  await app.clock.advance(MINUTE_MS);
  expect(await asked()).not.toBe(checked);
  await app.ask("ana", "DELETE", `${PATH}/${id}`);
  expect((await asked()).data).toEqual([]);
});

test("imports hundreds of lines in their order, each with its own entry in the audit log", async ({
  app,
}) => {
  const feeds = Array.from({ length: 700 / MAX_PER_SCOPE }, (_, at) => ({
    ...LOGS,
    id: `f${at}`,
    key: `feed_${at}`,
  }));
  await app.check("northgate", [LOGS, MAIL, ...feeds]);
  const note = (at: number, word: string) => `${word} ${at}; "æ"`;
  const lines = (from: number, until: number, word: string) =>
    Array.from({ length: until - from }, (_, at) => {
      const minutes = from + at + 1;
      const time = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
      const feed = feeds[Math.floor((from + at) / MAX_PER_SCOPE)]?.id ?? "";
      return `${feed},${time},mon,UTC,"${note(from + at, word).replaceAll('"', '""')}"\n`;
    }).join("");
  const head = "endpoint_id,by,days,time_zone,note\n";
  expect(await (await importFile(app, head + lines(0, 600, "old"))).json()).toMatchObject({
    added: 600,
  });
  await app.clock.advance(1_000);
  const changed = await importFile(app, head + lines(0, 550, "new") + lines(600, 700, "new"));
  expect(await changed.json()).toMatchObject({ added: 100, changed: 550, unchanged: 0 });
  expect((await list(app)).map((one) => one.note)).toEqual([
    ...Array.from({ length: 550 }, (_, at) => note(at, "new")),
    ...Array.from({ length: 50 }, (_, at) => note(550 + at, "old")),
    ...Array.from({ length: 100 }, (_, at) => note(600 + at, "new")),
  ]);
  const { rows } = await app.database.pool.query<{ event: string; own: number; alike: number }>(
    `select log.event, count(*)::int as own,
       (count(*) filter (where log.detail->>'note' = deadlines.note))::int as alike
     from audit_log log join deadlines on deadlines.id::text = log.detail->>'promise'
     where log.kind = 'promise' group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { event: "change.asked", own: 550, alike: 550 },
    { event: "make.asked", own: 700, alike: 150 },
  ]);
});

test("names a bad line and writes nothing", async ({ app }) => {
  const head = "by,days,time_zone,partner,from,note\n";
  const file = `${head}07:00,mon,Europe/Oslo,Procore,\n25:00,mon,Europe/Oslo,,\n07:00,mon,Europe/Oslo,Procore,,other\n08:00,mon,Europe/Oslo,,2020-01-01\n`;
  const answer = await importFile(app, file);
  expect(answer.status).toBe(400);
  expect(await errorOf(answer)).toMatch(/^Line 3: “by” /);
  const { errors } = PromiseImported.parse(await (await importFile(app, file, true)).json());
  expect(errors.map(({ line }) => line)).toEqual([3, 4, 5]);
  expect(errors[1]?.message).toContain("line 2");
  const worse = `by,days,time_zone,allowance_minutes\n25:00,xyz,Foo,many\n`;
  const found = PromiseImported.parse(await (await importFile(app, worse, true)).json());
  expect(found.errors).toEqual([
    {
      line: 2,
      message:
        "“by” is missing or not valid. “days” is missing or not valid. “allowance_minutes” is missing or not valid. “time_zone” must be a time zone such as Europe/Oslo.",
    },
  ]);
  for (const bad of ["by,days\n", "by,days,time_zone,colour\n", ""])
    expect((await importFile(app, bad)).status).toBe(400);
  expect(await list(app)).toEqual([]);
});

test("refuses a file with a quote that isn't closed, or a column twice", async ({ app }) => {
  const head = "partner,by,days,time_zone,note\n";
  const open = `${head}Procore,09:00,mon,UTC,"as agreed\nProcore,09:30,tue,UTC,b\n`;
  const answer = await importFile(app, open);
  expect(answer.status).toBe(400);
  expect(await errorOf(answer)).toMatch(/^Line 2: .*quote.* Nothing was imported\.$/);
  const { errors } = PromiseImported.parse(await (await importFile(app, open, true)).json());
  expect(errors.map(({ line }) => line)).toEqual([2]);
  const repeated = await importFile(app, `partner,${head}Procore,Aconex,09:00,mon,UTC,\n`);
  expect(repeated.status).toBe(400);
  expect(await errorOf(repeated)).toContain("more than one column partner");
  expect(await list(app)).toEqual([]);
});

test("refuses a file above 64 KB, and says how much of it fits", async ({ app }) => {
  const line = `07:00,mon,Europe/Oslo,${"x".repeat(977)}\n`;
  const file = `by,days,time_zone,note\n${line.repeat(100)}`;
  const answer = await importFile(app, file);
  expect(answer.status).toBe(413);
  expect(await errorOf(answer)).toContain("first 65 lines fit");
});

test("is limited in number, also by an import", async ({ app }) => {
  const one = {
    company: "northgate",
    rule: rule(),
    madeById: app.people.ana.id,
    madeByName: "Ana",
    madeAt: new Date(app.clock.nowMs()),
  };
  const many = Array.from({ length: MAX_DEADLINES }, () => one);
  await app.database.orm.insert(deadlines).values(many);
  expect((await make(app)).status).toBe(422);
  const file = "by,days,time_zone\n07:00,mon,Europe/Oslo\n";
  for (const isDryRun of [true, false])
    expect((await importFile(app, file, isDryRun)).status).toBe(422);
});

test("is limited in number for one feed, partner or company, also by an import", async ({
  app,
}) => {
  const one = { partner: "Procore" };
  for (let n = 0; n < MAX_PER_SCOPE; n += 1) await made(app, one);
  const answer = await make(app, one);
  expect(answer.status).toBe(422);
  expect(await errorOf(answer)).toContain("At most 20 promises can apply to the same feed");
  const lines = (partner: string) =>
    `by,days,time_zone,partner\n06:00,mon,Europe/Oslo,${partner}\n`;
  for (const isDryRun of [true, false])
    expect((await importFile(app, lines("Procore"), isDryRun)).status).toBe(422);
  expect(await list(app)).toHaveLength(MAX_PER_SCOPE);
  expect((await importFile(app, lines(""))).status).toBe(200);
  await made(app, { endpoint_id: "n1" });
});

test("is limited in number without those that are over, until one is put off", async ({ app }) => {
  const own = { partner: "Procore" };
  const { id } = await made(app, own);
  const endOn = (date: string) =>
    app.database.pool.query(
      `update deadlines set rule = rule || jsonb_build_object('until', $1::text) where id = $2`,
      [date, id],
    );
  for (let n = 1; n < MAX_PER_SCOPE; n += 1) await made(app, own);
  await endOn(inDays(app, 0));
  expect((await make(app, own)).status).toBe(422);
  await endOn(inDays(app, -3));
  await made(app, own);
  const change = (body: object) => app.ask("ana", "PATCH", `${PATH}/${id}`, body);
  expect((await change({ until: null })).status).toBe(422);
  expect((await change({ note: "Contract 4.2" })).status).toBe(200);
});

test("takes its own file back after a feed and its partner have left the API", async ({ app }) => {
  for (const scope of [{ endpoint_id: "n2" }, { partner: "=Aconex" }]) await made(app, scope);
  const before = await csv(app);
  await app.check("northgate", [LOGS]);
  const answer = await importFile(app, before);
  expect(PromiseImported.parse(await answer.json())).toMatchObject({ unchanged: 2, errors: [] });
  const changed = await importFile(app, before.replaceAll(",0,", ",10,"));
  expect(PromiseImported.parse(await changed.json())).toMatchObject({ changed: 2, errors: [] });
  const other = await importFile(app, before.replaceAll("07:00", "08:00"));
  expect(await errorOf(other)).toContain("must be a partner of this company");
});

test("lists how promises were kept, also a deleted one", async ({ app }) => {
  const { id } = await made(app, { endpoint_id: "n1" });
  const day = (date: string, outcome: "met" | "missed", receivedAt: Date | null) => ({
    company: "northgate",
    endpointId: "n1",
    deadlineId: id,
    date,
    partnerName: "Procore",
    endpointKey: "daily_logs",
    dueAt: new Date(`${date}T07:00:00Z`),
    limitAt: new Date(`${date}T07:00:00Z`),
    outcome,
    receivedAt,
    rule: rule(),
    closedAt: new Date(`${date}T07:01:00Z`),
  });
  await app.database.orm
    .insert(deadlineDays)
    .values([
      day("2026-10-14", "missed", new Date("2026-10-14T09:10:00Z")),
      day("2026-10-15", "met", new Date("2026-10-15T06:00:00Z")),
      day("2026-11-02", "missed", null),
    ]);
  await app.ask("ana", "DELETE", `${PATH}/${id}`);
  const answer = await app.ask("vera", "GET", `${PATH}/kept?month=2026-10`);
  const { data } = KeptView.parse(await answer.json());
  expect(data).toMatchObject([
    { promise_id: id, endpoint_id: "n1", met: 1, missed: 1, not_observed: 0, excused: 0 },
  ]);
  expect(data[0]?.days).toMatchObject([
    {
      date: "2026-10-14",
      outcome: "missed",
      late_seconds: 7_800,
      received_at: "2026-10-14T09:10:00.000Z",
    },
    { date: "2026-10-15", outcome: "met", late_seconds: null },
  ]);
  expect((await app.ask("vera", "GET", `${PATH}/kept?month=2026-13`)).status).toBe(400);
});

test("is rehearsed on the record: days before it are not checked, never met", async ({ app }) => {
  const nowMs = app.clock.nowMs();
  const day = (daysAgo: number) => dayOf(nowMs - daysAgo * DAY_MS, "UTC");
  const landed = (daysAgo: number, time: string) => {
    const landedAt = new Date(`${day(daysAgo)}T${time}:00Z`);
    const seenAt = new Date(landedAt.getTime() + MINUTE_MS);
    return { company: "northgate", endpointId: "n1", landedAt, seenAt, origin: "observed" };
  };
  await app.database.orm
    .insert(landings)
    .values([landed(3, "06:00"), landed(2, "09:10"), landed(1, "06:59")]);
  await app.database.pool.query(
    `insert into endpoint_facts (company, endpoint_id, seen_at, partner_name, status, reported, cadence_minutes)
     values ('northgate', 'n1', now(), 'Procore', 'active', true, 60)`,
  );
  const body = {
    by: "07:00",
    days: [...WEEKDAYS, "sat", "sun"],
    time_zone: "UTC",
    endpoint_id: "n1",
    since: day(4),
    until: day(-3),
  };
  const answer = await app.ask("ana", "POST", `${PATH}/rehearsal`, body);
  const { endpoints } = RehearsalView.parse(await answer.json());
  const [found] = endpoints;
  expect(
    found?.days.slice(0, 4).map(({ date, outcome, late_seconds }) => [date, outcome, late_seconds]),
  ).toEqual([
    [day(4), "not_observed", null],
    [day(3), "met", null],
    [day(2), "missed", 7_800],
    [day(1), "met", null],
  ]);
  expect(found?.days.length).toBeLessThanOrEqual(5);
  expect(await list(app)).toEqual([]);
  const long = { ...body, since: day(100) };
  expect((await app.ask("ana", "POST", `${PATH}/rehearsal`, long)).status).toBe(400);
});

test("of a feed are only those whose scope includes it, sent again only if they changed", async ({
  app,
}) => {
  const ofFeed = await made(app, { endpoint_id: "n1" });
  const ofPartner = await made(app, { partner: "Procore" });
  const ofCompany = await made(app);
  const ofOther = await made(app, { endpoint_id: "n2" });
  const ask = async (endpointId: string, ifNoneMatch: string | null = null, most?: number) => {
    const asked = { company: "northgate", endpointId, ifNoneMatch };
    const { status, headers, body } = await listPromisesOf(
      app.handlersRuntime,
      asked,
      most === undefined ? undefined : rowBudget(most),
    );
    const view =
      body === null
        ? { data: [] }
        : PromisesView.parse(JSON.parse(new TextDecoder().decode(body as Uint8Array)));
    const ids = view.data.map(({ id }) => id).toSorted();
    return { status, etag: headers["etag"] ?? null, ids };
  };
  const own = await ask("n1");
  expect(own.ids).toEqual([ofFeed.id, ofPartner.id, ofCompany.id].toSorted());
  expect((await ask("n2")).ids).toEqual([ofCompany.id, ofOther.id].toSorted());
  // One that isn't listed.
  expect((await ask("n9")).ids).toEqual([ofCompany.id]);
  await app.clock.advance(MINUTE_MS);
  expect(await ask("n1", own.etag)).toEqual({ status: 304, etag: own.etag, ids: [] });
  await app.ask("bo", "PATCH", `${PATH}/${ofPartner.id}`, { note: "Contract 5" });
  expect((await ask("n1", own.etag)).status).toBe(200);
  await expect(ask("n1", null, 2)).rejects.toThrow("more than 2 records");
  const answer = await app.ask("vera", "GET", `${PATH}?endpoint=n2`);
  expect(PromisesView.parse(await answer.json()).data).toHaveLength(2);
});
