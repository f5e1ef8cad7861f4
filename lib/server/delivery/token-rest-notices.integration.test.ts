import { expect } from "vitest";
import { DAY_MS } from "@/lib/domain/time/units";
import { secretHash } from "@/lib/server/auth/secret";
import { newApiToken } from "@/lib/server/auth/tokens/token-form";
import { appTest, type TestApp } from "@/lib/server/gate/app-fixture";
import { pauseByRestore } from "@/lib/server/store/pauses/pause-fixture";
import { pauses } from "@/lib/server/store/schema/pauses";
import { apiTokens } from "@/lib/server/store/schema/tokens";
import type { Mail, MailOutcome } from "./mail";
import { createTokenRestNotices } from "./token-rest-notices";

const test = appTest();

function noticesOf(app: TestApp) {
  const sent: Mail[] = [];
  let outcome: MailOutcome = "accepted";
  let whileSending = () => {};
  const instance = () =>
    createTokenRestNotices({
      database: app.database,
      time: app.runtime.auth.time,
      mailer: {
        send(mail) {
          sent.push(mail);
          whileSending();
          return Promise.resolve(outcome);
        },
      },
      appUrl: app.runtime.appUrl,
      clock: app.clock,
      log: app.runtime.log,
    });
  /** @returns the subjects of mails sent while they looked at the same time */
  const lookFrom = async (...instances: { look(): Promise<void> }[]) => {
    await Promise.all(instances.map((one) => one.look()));
    return sent.splice(0).map(({ to, subject }) => `${String(to)}: ${subject}`);
  };
  return {
    look: () => lookFrom(instance(), instance()),
    /** For a mail that fails: another instance may try it again at once. */
    lookAlone: () => lookFrom(instance()),
    answer: (next: MailOutcome) => (outcome = next),
    /** Of an instance that is stopped while it sends its first mail. */
    lookAndStop: () => {
      const one = instance();
      let stopped = Promise.resolve();
      whileSending = () => {
        whileSending = () => {};
        stopped = one.stop();
      };
      return lookFrom({ look: () => one.look().then(() => stopped) });
    },
  };
}

async function addToken(app: TestApp, personId: string, name: string, days = 365) {
  const createdMs = app.databaseNowMs();
  await app.database.orm.insert(apiTokens).values({
    tokenHash: secretHash(newApiToken()),
    hint: "0000",
    name,
    scope: "read",
    personId,
    madeBy: personId,
    createdAt: new Date(createdMs),
    expiresAt: new Date(createdMs + days * DAY_MS),
  });
}

test("tells people of the provider once, a week before their tokens rest, until they sign in", async ({
  app,
}) => {
  const { look, lookAlone, answer } = noticesOf(app);
  const id = await app.addPerson("olav@example.com", "viewer", ["northgate"]);
  await app.asOwner(
    `update people set issuer = 'https://id.example', subject = 'olav' where id = '${id}'`,
  );
  const local = await app.addPerson("lena@example.com", "viewer", ["northgate"]);
  await addToken(app, id, "Nightly");
  await addToken(app, id, "Short", 25);
  await addToken(app, local, "Local");
  expect(await look()).toEqual([]);
  await app.clock.advance(23 * DAY_MS);
  await pauseByRestore(app.database, "deliveries", app.clock.nowMs());
  expect(await look()).toEqual([]);
  await app.database.orm.delete(pauses);
  answer("failed");
  const told = ["olav@example.com: Your API token “Nightly” will stop working soon"];
  expect(await lookAlone()).toEqual(told);
  answer("accepted");
  expect(await look()).toEqual(told);
  expect(await look()).toEqual([]);
  await app.runtime.auth.sessions.start(id, "192.0.2.1");
  await app.clock.advance(22 * DAY_MS);
  expect(await look()).toEqual([]);
  await app.clock.advance(DAY_MS + 1);
  expect(await look()).toEqual(told);
  await app.clock.advance(8 * DAY_MS);
  expect(await look()).toEqual([]);
});

test("leaves to others what it hasn't sent when it is stopped", async ({ app }) => {
  const { look, lookAndStop } = noticesOf(app);
  const id = await app.addPerson("siri@example.com", "viewer", ["northgate"]);
  await app.asOwner(
    `update people set issuer = 'https://id.example', subject = 'siri' where id = '${id}'`,
  );
  for (const name of ["Night\u202Ely", "Weekly\n"]) await addToken(app, id, name);
  await app.clock.advance(23 * DAY_MS);
  const first = await lookAndStop();
  expect(first).toHaveLength(1);
  const rest = await look();
  expect([...first, ...rest].toSorted()).toEqual([
    "siri@example.com: Your API token “Nightly” will stop working soon",
    "siri@example.com: Your API token “Weekly” will stop working soon",
  ]);
});
