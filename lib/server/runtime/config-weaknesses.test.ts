import { afterAll, expect, test } from "vitest";
import { createPasswordMeter } from "@/lib/server/auth/password-meter";
import { parseConfig } from "@/lib/server/config/config";
import { weaknessesOf } from "./config-weaknesses";
import type { Env } from "@/lib/server/environment";

const meter = createPasswordMeter();
afterAll(() => meter.stop());

const GOOD: Env = {
  AUTH_SECRET: "9vJq2xWm7LtRb4KdHs8P",
  ADMIN_PASSWORD: "copper kettle nineteen windows",
  METRICS_TOKEN: "Zr8w4Ptq9LmXv2Kc",
  DATABASE_URL: "postgres://app:secret@127.0.0.1:5432/plumbline",
  DATABASE_MIGRATION_URL: "postgres://owner:secret@db.example/plumbline?sslmode=verify-full",
  OIDC_ISSUER: "https://id.example",
  OIDC_CLIENT_ID: "plumbline",
  OIDC_CLIENT_SECRET: "secret",
  APP_URL: "https://status.example",
  SMTP_URL: "smtp://mail.example",
  MAIL_FROM: "plumbline@example.com",
  V3_BASE_URL: "https://api.example/v3",
  V3_CLIENT_ID: "id",
  V3_CLIENT_SECRET: "secret",
};

async function namedIn(more: Env): Promise<string[]> {
  const env = { ...GOOD, ...more };
  const found = await weaknessesOf(parseConfig(env, "/srv"), env, meter);
  const [value = ""] = Object.values(more);
  // Shorter values are words of the sentences.
  if (value.length > 10) for (const { sentence } of found) expect(sentence).not.toContain(value);
  return found.map(
    ({ sentence, isRefused }) => `${sentence.split(":")[0]} ${isRefused ? "refused" : "warned"}`,
  );
}

test("reports nothing for a secure configuration", async () => {
  expect(await namedIn({})).toEqual([]);
  expect(await weaknessesOf(parseConfig({}, "/srv"), {}, meter)).toEqual([]);
});

test.each([
  ["AUTH_SECRET", "aaaaaaaaaaaaaaaa"],
  ["AUTH_SECRET", "abababababababab"],
  ["AUTH_SECRET", "changeme1changeme1"],
  ["METRICS_TOKEN", "a"],
  ["METRICS_TOKEN", "fifteen letters"],
  ["METRICS_TOKEN", "aaaaaaaaaaaaaaaaaaaa"],
  ["ADMIN_PASSWORD", "password"],
  ["ADMIN_PASSWORD", "admin@plumbline.local"],
  ["DATABASE_URL", "postgres://app:secret@db.example/plumbline"],
  ["DATABASE_URL", "postgres://app:secret@127.0.0.1/plumbline?host=10.0.0.7"],
  ["DATABASE_MIGRATION_URL", "postgres://owner:secret@[fd00::7]/plumbline"],
  ["OIDC_ISSUER", "http://id.example"],
])("%s %s is refused by name, without its value", async (name, value) => {
  expect(await namedIn({ [name]: value })).toEqual([`${name} refused`]);
});

test.each([
  ["DATABASE_URL", "postgres://app:secret@db.example/plumbline?sslmode=disable"],
  ["DATABASE_URL", "postgres://app:secret@localhost/plumbline"],
  ["DATABASE_URL", "postgres://app:secret@[::1]/plumbline"],
  ["DATABASE_URL", "postgres://app@localhost/plumbline?host=%2Frun%2Fpostgresql"],
  ["OIDC_ISSUER", "http://127.0.0.1:9000"],
  ["OIDC_ISSUER", "http://localhost:9000"],
  ["V3_BASE_URL", "http://127.0.0.1:9000/v3"],
])("%s %s is accepted as local, or as an explicit decision", async (name, value) => {
  expect(await namedIn({ [name]: value })).toEqual([]);
});

test("applies PGSSLMODE to the database, too", async () => {
  const plain = { DATABASE_URL: "postgres://app:secret@db.example/plumbline" };
  expect(await namedIn({ ...plain, PGSSLMODE: "require" })).toEqual([]);
});

test("only warns about a working setup: an API without TLS, and mails that may be sent in clear text", async () => {
  expect(await namedIn({ V3_BASE_URL: "http://api.example/v3" })).toEqual(["V3_BASE_URL warned"]);
  expect(await namedIn({ MAIL_WITHOUT_TLS: "allow" })).toEqual(["MAIL_WITHOUT_TLS warned"]);
});
