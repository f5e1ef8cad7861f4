import { expect } from "vitest";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Orm } from "@/lib/server/store/database";
import { freshDatabaseTest } from "@/lib/server/store/test-database";
import { enqueue, readSendable, type NewDelivery } from "./outbox";

const NOW_MS = Date.parse("2026-11-20T10:00:00Z");
const ROW: Omit<NewDelivery, "id" | "key" | "thread"> = {
  destination: "hook",
  channelId: null,
  personId: null,
  to: "channel",
  toName: "Hook",
  company: "northgate",
  about: null,
  incidentId: null,
  type: "incident.opened",
  message: {
    id: "",
    type: "incident.opened",
    at: "2026-11-20T10:00:00.000Z",
    company: { slug: "northgate", name: "Northgate" },
    incident: null,
    url: "http://localhost:3000/northgate",
    text: "Procore at Northgate is stale.",
  },
  includedIn: null,
  dueMs: NOW_MS,
};

const RETRY_MS = 60 * MINUTE_MS;

const test = freshDatabaseTest();

/** Ids of the messages to send at an instant. */
async function sendableAt(orm: Orm, nowMs: number): Promise<string[]> {
  const rows = await readSendable(orm, { nowMs, longestRetryMs: RETRY_MS, except: [], limit: 10 });
  return rows.map(({ id }) => id);
}

test("an opening that isn't sent yet doesn't wait for the message that includes its ending", async ({
  db,
}) => {
  const { orm } = db.database;
  const rows = [
    { ...ROW, id: "opening", key: "incident:1:opened", thread: "northgate/1" },
    { ...ROW, id: "ending", key: "incident:1:ended", thread: "northgate/1", includedIn: "several" },
    { ...ROW, id: "several", key: "partner:1:0:ended", thread: "partner:1:0" },
    { ...ROW, id: "edit", key: "incident:1:ended:edit", thread: "northgate/1" },
  ];
  await orm.transaction((tx) => enqueue(tx, rows, NOW_MS));
  const sent: string[] = [];
  for (;;) {
    const ids = await sendableAt(orm, NOW_MS);
    if (ids.length === 0) break;
    sent.push(ids.join(" "));
    await db.database.pool.query(
      "update deliveries set state = 'sent', settled_at = now() where id = any ($1)",
      [ids],
    );
  }
  expect(sent).toEqual(["opening", "several", "edit"]);
});

test.for([
  {
    about: "being blind to a company",
    last: "northgate/sight:2026-11-20T09:00:00.000Z",
    next: "northgate/sight:2026-11-20T09:40:00.000Z",
  },
  {
    about: "a partner",
    last: "partner:Procore:1763632800000",
    next: "partner:Procore:1763635200000",
  },
])(
  "a new message about $about doesn't overtake the ending of the last",
  async ({ last, next }, { db }) => {
    const { orm } = db.database;
    const rows = [
      { ...ROW, id: "ended", key: "ended", thread: last },
      { ...ROW, id: "opened", key: "opened", thread: next },
      { ...ROW, id: "elsewhere", key: "opened", thread: next, destination: "desk" },
      { ...ROW, id: "incident", key: "incident:1:opened", thread: "northgate/1" },
      { ...ROW, id: "another", key: "incident:2:opened", thread: "northgate/2" },
    ];
    await orm.transaction((tx) => enqueue(tx, rows, NOW_MS));
    // It is tried again later.
    const later = new Date(NOW_MS + MINUTE_MS);
    await db.database.pool.query("update deliveries set next_at = $1 where id = 'ended'", [later]);
    expect(await sendableAt(orm, NOW_MS)).toEqual(["elsewhere", "incident", "another"]);
    await db.database.pool.query("update deliveries set settled_at = now() where id = 'ended'");
    expect(await sendableAt(orm, NOW_MS)).toEqual(["opened", "elsewhere", "incident", "another"]);
  },
);

test("a message waits no longer than for its next attempt once the clock was set back", async ({
  db,
}) => {
  const { orm } = db.database;
  const rows = ["new", "tried"].map((id) => ({ ...ROW, id, key: id, thread: id }));
  await orm.transaction((tx) => enqueue(tx, rows, NOW_MS));
  await db.database.pool.query("update deliveries set attempts = 3 where id = 'tried'");
  const sendableBefore = (minutes: number) => sendableAt(orm, NOW_MS - minutes * MINUTE_MS);
  expect(await sendableBefore(0)).toEqual(["new", "tried"]);
  // The clocks of two instances, and a receiver that asked to be left alone for an hour.
  expect(await sendableBefore(1)).toEqual([]);
  expect(await sendableBefore(2)).toEqual(["new"]);
  expect(await sendableBefore(61)).toEqual(["new"]);
  expect(await sendableBefore(62)).toEqual(["new", "tried"]);
});
