import { expect } from "vitest";
import { createAccess, holdsSomewhere } from "@/lib/server/auth/access";
import { createManualClock } from "@/lib/server/manual-clock";
import { changeConnection, insertConnection } from "@/lib/server/store/connections/connections";
import { createPerson } from "@/lib/server/store/people/people";
import { readInbox } from "@/lib/server/store/delivery/outbox";
import { freshDatabaseTest } from "@/lib/server/store/test-database";
import { createConnectionSeals } from "@/lib/server/upstream/browser/connection-seals";
import { tellUnreadableSecrets } from "./unreadable-secrets";

const test = freshDatabaseTest();

test("tells each administrator once about each secret that can’t be decrypted", async ({ db }) => {
  const { database } = db;
  const clock = createManualClock(Date.parse("2026-03-02T12:00:00Z"));
  const add = (name: string, role: "administrator" | "viewer") =>
    createPerson(database.orm, {
      email: `${name}@example.com`,
      name,
      grants: [{ role, company: null }],
      passwordHash: null,
    });
  const people = [await add("ada", "administrator"), await add("vera", "viewer")] as const;
  const change = {
    person: { id: people[0], name: "ada", email: "ada@example.com" },
    nowMs: clock.nowMs(),
  };
  const client = { baseUrl: "https://api.halden.example/api/v3", clientId: "hc" };
  const sealed = (authSecret: string) =>
    createConnectionSeals([authSecret])(client).close("secret");
  const values = { company: "halden", name: "Halden", timeZone: null, externalId: null };
  await insertConnection(database, { ...client, ...values, sealed: sealed("before") }, change);

  const look = (authSecret: string) =>
    tellUnreadableSecrets({
      database,
      mayManage: (holder) => holdsSomewhere(createAccess(null, []), holder, "manage-connections"),
      seals: createConnectionSeals([authSecret]),
      clock,
      appUrl: "https://plumbline.example",
    });
  expect(await look("before")).toBe(0);
  const [one, two] = await Promise.all([look("after"), look("after")]);
  expect(one + two).toBe(1);
  await clock.advance(86_400_000);
  expect(await look("after")).toBe(0);
  const inbox = (personId: string) =>
    readInbox(database.orm, { personId, companies: ["halden"] }, { offset: 0, limit: 10 });
  expect((await inbox(people[0])).rows.map(({ message }) => message.text)).toEqual([
    expect.stringMatching(/^We can’t see Halden: its stored client secret can’t be decrypted/),
  ]);
  expect((await inbox(people[1])).rows).toEqual([]);

  await changeConnection(database, "halden", { sealed: sealed("another") }, change);
  expect(await look("after")).toBe(1);
});
