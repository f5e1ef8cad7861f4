import { expect, test } from "vitest";
import { createMessagesCheck } from "./messages";
import { companyNamed, faultOf, instanceAt, sceneWith, START_MS, type Rows } from "./scene-fixture";
import type { Fault } from "../faults";
import type { Scene } from "../simulation";

const MINUTE_MS = 60_000;
const NOW_MS = sceneWith().time.nowMs();
const COMPANIES = [companyNamed("a", 1), companyNamed("b", 2)];
const INCIDENT = { company: { slug: "a" }, incident: { id: 1, opened_at: iso(START_MS) } };
const PROMISE = { company: { slug: "a" }, promise: { id: "p", date: "2026-11-26" } };
const HOST = { companies: ["a", "b"] };

let sent = 0;
/** A message that arrives when what it tells of happens. */
function message(type: string, minute: number, more: object = {}, to = "/all") {
  sent += 1;
  const atMs = START_MS + minute * MINUTE_MS;
  const id = `msg ${sent}`;
  const body = { id, type, at: iso(atMs), text: "", company: null, incident: null, ...more };
  return { atMs, to, id, body: JSON.stringify(body) };
}

function iso(ms: number) {
  return new Date(ms).toISOString();
}

type Given = { isEnd?: boolean; rows?: Rows; scene?: Partial<Scene> };

const check = (
  received: readonly ReturnType<typeof message>[],
  { isEnd = false, rows, scene }: Given = {},
) =>
  createMessagesCheck()(
    sceneWith(
      {
        world: { startMs: START_MS, companies: COMPANIES },
        receivers: { received } as never,
        ...scene,
      },
      rows,
    ),
    isEnd,
  );

const PAIRS = [
  ["incident.opened", "incident.ended", INCIDENT],
  ["partner.opened", "partner.ended", { fleet_incident: { id: "f", companies: [] } }],
  ["company.limited", "company.limited_ended", { company: { slug: "a" } }],
  ["company.blind", "company.seen_again", { company: { slug: "a" } }],
  ["host.blind", "host.seen_again", HOST],
  ["promise.at_risk", "promise.met", PROMISE],
  ["promise.at_risk", "promise.missed", PROMISE],
  ["promise.at_risk", "promise.ended", PROMISE],
] as const;

test.each(PAIRS)("%s comes once before %s", async (opening, ending, about) => {
  const [opened, ended] = [message(opening, 1, about), message(ending, 2, about)];
  await expect(check([opened, ended])).resolves.toBeUndefined();
  await expect(check([opened, opened, ended])).resolves.toBeUndefined();
  await expect(check([opened, message(opening, 2, about)])).rejects.toThrow(`got two ${opening}`);
  await expect(check([opened, ended, message(ending, 3, about)])).rejects.toThrow(
    `got ${ending} of`,
  );
});

test("what several companies have in common may be opened twice if our clock was set between", async () => {
  const set = { faults: [faultOf("clock_jump", START_MS + 90_000, START_MS + 3 * MINUTE_MS)] };
  const twice = ([opening, , about]: (typeof PAIRS)[number]) =>
    check([message(opening, 1, about), message(opening, 2, about)], { scene: set });
  await expect(twice(PAIRS[1])).resolves.toBeUndefined();
  await expect(twice(PAIRS[0])).rejects.toThrow("got two incident.opened");
});

test.each(PAIRS.filter(([, ending]) => ending !== "promise.missed"))(
  "after nothing but %s comes %s",
  async (_opening, ending, about) => {
    await expect(check([message(ending, 2, about)])).rejects.toThrow("without its opening");
  },
);

test("a promise has one ending, and can be missed without a warning", async () => {
  const missed = message("promise.missed", 2, PROMISE);
  await expect(check([missed])).resolves.toBeUndefined();
  await expect(check([missed, message("promise.met", 3, PROMISE)])).rejects.toThrow(
    "got promise.met of",
  );
});

test("a company of a host may be seen again before its others", async () => {
  const blind = message("host.blind", 1, HOST);
  const seen = message("company.seen_again", 2, { company: { slug: "a" } });
  await expect(check([blind, seen])).resolves.toBeUndefined();
});

test("that a host is seen again ends what was said of its company before", async () => {
  const company = (type: string, minute: number) =>
    message(type, minute, { company: { slug: "a" } });
  const [before, blind] = [company("company.blind", 1), message("host.blind", 2, HOST)];
  const [seen, again] = [message("host.seen_again", 3, HOST), company("company.blind", 4)];
  await expect(check([before, blind, seen, again])).resolves.toBeUndefined();
  const last = company("company.seen_again", 5);
  await expect(check([before, blind, seen, again, last])).resolves.toBeUndefined();
  await expect(check([before, blind, again])).rejects.toThrow("got two company.blind");
  const seenBetween = { rows: [["from deliveries a join deliveries b", [{}]]] } as const;
  await expect(check([before, blind, again], seenBetween)).resolves.toBeUndefined();
  await expect(check([before, again], seenBetween)).rejects.toThrow("got two company.blind");
  await expect(check([before, seen])).rejects.toThrow("without its opening");
  await expect(check([before, blind, seen, last])).rejects.toThrow("got company.seen_again of");
});

test("an incident isn't reminded of while it is acknowledged", async () => {
  const reminder = (minute: number) =>
    message("incident.changed", minute, { ...INCIDENT, text: "No one has acknowledged it yet." });
  const opened = [message("incident.opened", 0, INCIDENT)];
  const remindedAt = async (nowMs: number, given: { untilMs: number | null; faults?: Fault[] }) => {
    const until = given.untilMs === null ? null : new Date(given.untilMs);
    const scene = (received: typeof opened, plannedMs: number) =>
      sceneWith(
        {
          world: { startMs: START_MS, companies: COMPANIES },
          receivers: { received } as never,
          faults: given.faults ?? [],
        },
        [
          ["acknowledged_until", [{ subject: "a 1", until }]],
          ["created_at", [{ ms: plannedMs }]],
        ],
      );
    const invariant = createMessagesCheck();
    await invariant(scene(opened, 0), false);
    await invariant(scene([...opened, reminder(60)], nowMs), false);
  };
  const before = "got a reminder of a 1, acknowledged before";
  await expect(remindedAt(NOW_MS + 1, { untilMs: null })).rejects.toThrow(before);
  await expect(remindedAt(NOW_MS + 1, { untilMs: NOW_MS + 2 })).rejects.toThrow(before);
  // It was planned before the acknowledgement, or after the time until which that stands.
  await expect(remindedAt(NOW_MS, { untilMs: null })).resolves.toBeUndefined();
  await expect(remindedAt(NOW_MS + 1, { untilMs: NOW_MS + 1 })).resolves.toBeUndefined();
  const faults = [faultOf("clock_jump", START_MS, START_MS + 1)];
  await expect(remindedAt(NOW_MS + 1, { untilMs: null, faults })).resolves.toBeUndefined();
});

test("an incident has at most one reminder in each interval", async () => {
  const text = "No one has acknowledged it yet.";
  const reminder = (minute: number, said = minute) =>
    message("incident.changed", minute, {
      ...INCIDENT,
      text,
      at: iso(START_MS + said * MINUTE_MS),
    });
  const opened = message("incident.opened", 0, INCIDENT);
  await expect(check([opened, reminder(60), reminder(120)])).resolves.toBeUndefined();
  await expect(check([opened, reminder(60), reminder(100)])).rejects.toThrow("got a reminder of");
  const setBack = (minute: number) => check([opened, reminder(60, 240), reminder(minute, 90)]);
  await expect(setBack(90)).resolves.toBeUndefined();
  await expect(setBack(80)).rejects.toThrow("got a reminder of");
  // Also if the API's clock was ahead between two reminders only.
  const ahead = message("incident.changed", 70, {
    ...INCIDENT,
    text: "It got worse.",
    at: iso(START_MS + 240 * MINUTE_MS),
  });
  const setBackAgain = (minute: number) => check([opened, reminder(60), ahead, reminder(minute)]);
  await expect(setBackAgain(90)).resolves.toBeUndefined();
  await expect(setBackAgain(80)).rejects.toThrow("got a reminder of");
  // One that came late doesn't delay the next.
  await expect(check([opened, reminder(65, 10), ahead, reminder(80, 70)])).resolves.toBeUndefined();
  const clockSetAt = (minute: number, second: number) => {
    const fault = faultOf("clock_jump", START_MS + minute * MINUTE_MS, NOW_MS);
    return check([opened, reminder(60), reminder(second)], { scene: { faults: [fault] } });
  };
  await expect(clockSetAt(70, 90)).resolves.toBeUndefined();
  await expect(clockSetAt(70, 89)).rejects.toThrow("got a reminder of");
  await expect(clockSetAt(30, 90)).rejects.toThrow("got a reminder of");
});

test("a company that is seen again was said to be", async () => {
  const blind = message("company.blind", 1, { company: { slug: "a" } });
  await expect(check([blind], { isEnd: true })).rejects.toThrow(
    "/all got company.blind of a, and never its ending",
  );
});

test("an incident that ended was said to have", async () => {
  const over: Rows[number] = ["fleet_incidents", [{ subject: "a 1" }]];
  const rows: Rows = [over];
  const opened = message("incident.opened", 1, INCIDENT);
  await expect(check([opened], { isEnd: true, rows })).rejects.toThrow(
    "/all got incident.opened of a 1, and never its ending",
  );
  const limited = message("company.limited", 2, { company: { slug: "a" } });
  const limitedEnded = message("company.limited_ended", 3, { company: { slug: "a" } });
  const within = { isEnd: true, rows: [over, ["told_in", [{ told_in: limitedEnded.id }]]] as Rows };
  await expect(check([opened, limited, limitedEnded], within)).resolves.toBeUndefined();
  await expect(check([opened], within)).rejects.toThrow("never its ending");
  await expect(check([opened, limited], { isEnd: true, rows })).resolves.toBeUndefined();
  const untold = check([opened, limited, limitedEnded], { isEnd: true, rows });
  await expect(untold).rejects.toThrow("never its ending");
  const quietUntil = (time: string): Rows => [
    over,
    ["from rules", [{ to_name: "/all", from_time: "22:00", until_time: time }]],
  ];
  const hour = (ms: number) => iso(ms).slice(11, 16);
  const held = check([opened], { isEnd: true, rows: quietUntil(hour(NOW_MS + MINUTE_MS)) });
  await expect(held).resolves.toBeUndefined();
  const rowsOver = quietUntil(hour(NOW_MS - 61 * MINUTE_MS));
  const later = check([opened], { isEnd: true, rows: rowsOver });
  await expect(later).rejects.toThrow("never its ending");
  // Quiet hours are by our clock.
  const scene = { instances: () => [instanceAt(NOW_MS - 90 * MINUTE_MS)] };
  const setBack = check([opened], { isEnd: true, rows: rowsOver, scene });
  await expect(setBack).resolves.toBeUndefined();
});

test("an incident's ending comes after the changes that quiet hours held back", async () => {
  const nowMinute = (NOW_MS - START_MS) / MINUTE_MS;
  const endedAt = (minute: number): Rows => [
    ["fleet_incidents", [{ subject: "a 1", ended_ms: START_MS + minute * MINUTE_MS }]],
  ];
  const opened = message("incident.opened", 1, INCIDENT);
  const changed = (minute: number) => ({
    ...message("incident.changed", 300, INCIDENT),
    atMs: START_MS + minute * MINUTE_MS,
  });
  const told = (change: ReturnType<typeof changed>, endedMinute: number) =>
    check([opened, change], { isEnd: true, rows: endedAt(endedMinute) });
  await expect(told(changed(nowMinute - 59), 301)).resolves.toBeUndefined();
  await expect(told(changed(nowMinute - 60), 301)).rejects.toThrow("never its ending");
  await expect(told(changed(nowMinute - 59), 300)).rejects.toThrow("never its ending");
});

test("an incident's ending may wait for that of its partner at several companies", async () => {
  const opened = message("incident.opened", 1, INCIDENT);
  const about = (type: string, minute: number, incident = 1) => {
    const companies = [{ company: "a", incident_id: incident, since: iso(START_MS) }];
    return message(type, minute, { fleet_incident: { id: "f", companies } });
  };
  const named = about("partner.opened", 2);
  const member = (company: string, isOpen: boolean, calmMinutes: number) => ({
    company,
    is_open: isOpen,
    calm_ms: calmMinutes * MINUTE_MS,
  });
  const over: Rows[number] = ["fleet_incidents", [{ subject: "a 1" }]];
  const ended = member("a", false, 300);
  const told = (received: Parameters<typeof check>[0], ...others: (typeof ended)[]) =>
    check(received, { isEnd: true, rows: [over, ["fleet_members", [ended, ...others]]] });
  const three = ["b", "c", "d"].map((company) => member(company, true, 200));

  await expect(told([opened, named], ...three)).resolves.toBeUndefined();
  const unnamed = [opened, about("partner.opened", 2, 2)];
  await expect(told(unnamed, ...three)).rejects.toThrow("never its ending");
  const past = [opened, named, about("partner.ended", 3)];
  await expect(told(past, ...three)).rejects.toThrow("never its ending");
  const again = [...past, about("partner.opened", 4, 2)];
  await expect(told(again, ...three)).rejects.toThrow("never its ending");

  await expect(told([opened, named], member("b", true, 119))).resolves.toBeUndefined();
  await expect(told([opened, named], member("b", true, 120))).rejects.toThrow("never its ending");
  await expect(told([opened, named], member("b", false, 59))).resolves.toBeUndefined();
  await expect(told([opened, named], member("b", false, 60))).rejects.toThrow("never its ending");
  await expect(told([opened, named])).rejects.toThrow("never its ending");

  const written: Rows = [over, ["fleet_members", three], ["told_in", [{ told_in: null }]]];
  const lost = check([opened, named], { isEnd: true, rows: written });
  await expect(lost).rejects.toThrow("never its ending");
});

test("an incident that lasted was told", async () => {
  const rows: Rows = [["not exists", [{ id: 7 }]]];
  await expect(check([], { isEnd: true, rows })).rejects.toThrow("never told of incident 7 of a");
  const faults = [faultOf("restore", START_MS, START_MS + MINUTE_MS)];
  const after = { isEnd: true, rows, scene: { faults } };
  await expect(check([], after)).rejects.toThrow("never told of incident 7 of a");
});

test("a restore excuses only what was opened before it", async () => {
  const faults = [faultOf("restore", START_MS, NOW_MS)];
  const run = createMessagesCheck();
  const received: ReturnType<typeof message>[] = [];
  const scene = sceneWith({ faults, receivers: { received } as never });
  await run(scene, false);
  received.push(message("incident.ended", 1, INCIDENT));
  await expect(run(scene, false)).resolves.toBeUndefined();
  const later = { company: { slug: "a" }, incident: { id: 2, opened_at: iso(NOW_MS + 1) } };
  received.push(message("incident.ended", 1, later));
  await expect(run(scene, false)).rejects.toThrow("without its opening");
});

test("a message says its own id, and no trouble that is still to come", async () => {
  const one = message("brief", 1);
  await expect(check([{ ...one, id: "other" }])).rejects.toThrow("other says that it is");
  const companies = [{ company: "a", since: iso(START_MS + 60 * MINUTE_MS) }];
  const early = message("partner.opened", 1, { fleet_incident: { id: "f", companies } });
  await expect(check([early])).rejects.toThrow("tells of trouble since");
  const ahead = (amount: number, share: number) => ({
    scene: { faults: [{ ...faultOf("clock_jump", START_MS - 2, START_MS - 1), amount, share }] },
  });
  await expect(check([early], ahead(60 * MINUTE_MS, 1))).resolves.toBeUndefined();
  await expect(check([early], ahead(57 * MINUTE_MS, 1))).rejects.toThrow("tells of trouble since");
  await expect(check([early], ahead(60 * MINUTE_MS, 0.5))).rejects.toThrow("tells of trouble");
  const writtenLater: Rows = [["created_at + interval", [{}]]];
  await expect(check([early], { rows: writtenLater })).resolves.toBeUndefined();
});

test("no message holds a secret, what the API said, or what is another company's", async () => {
  const brief = (text: string, to?: string) => message("brief", 1, { text }, to);
  await expect(check([brief("secret-of-a")])).rejects.toThrow("holds a secret");
  await expect(check([brief("canary-a")])).rejects.toThrow("quotes the API");
  await expect(check([brief("canary-2-canary", "/only-a")])).rejects.toThrow("is about b");
});
