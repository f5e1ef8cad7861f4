import { expect } from "vitest";
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

const test = freshDatabaseTest();

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
    const ids = (await readSendable(orm, NOW_MS, 10)).map(({ id }) => id);
    if (ids.length === 0) break;
    sent.push(ids.join(" "));
    await db.database.pool.query(
      "update deliveries set state = 'sent', settled_at = now() where id = any ($1)",
      [ids],
    );
  }
  expect(sent).toEqual(["opening", "several", "edit"]);
});
