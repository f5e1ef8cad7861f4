import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { expect, test } from "vitest";
import { deriveAuditKey, openAuditKeys, readKeptKeys } from "./keys";

const log = pino({ level: "silent" });
const FIRST = "the first secret of all";
const SECOND = "the second secret of all";

const newFolder = () => mkdtempSync(path.join(tmpdir(), "plumbline-keys-"));
const open = (dataDir: string, secret: string, earlierAuthSecrets: string[] = []) =>
  openAuditKeys({ dataDir, earlierAuthSecrets }, secret, log);

test("derives the same key from the same secret, and different keys from different ones", () => {
  const [here, there] = [open(newFolder(), FIRST), open(newFolder(), FIRST)];
  expect(here.current).toEqual(there.current);
  expect(deriveAuditKey(SECOND).id).not.toBe(here.current.id);
  expect(here.current.id).toMatch(/^[0-9a-f]{16}$/);
  expect(here.current.secret).toHaveLength(32);
});

test("stores keys readable only by the owner, without revealing the secret", () => {
  const dataDir = newFolder();
  const { current } = open(dataDir, FIRST);
  const file = path.join(dataDir, "audit-keys", current.id);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  expect(readFileSync(file, "utf8")).not.toContain(FIRST);
  expect(readdirSync(path.dirname(file))).toEqual([current.id]);
});

test("keeps earlier keys known after the secret changes, from DATA_DIR", () => {
  const dataDir = newFolder();
  const { current: first } = open(dataDir, FIRST);
  const { current: second, known } = open(dataDir, SECOND);
  expect(known).toEqual(
    new Map([
      [first.id, first.secret],
      [second.id, second.secret],
    ]),
  );
});

test("recovers a key from an earlier secret if DATA_DIR was lost, and stores it", () => {
  const dataDir = newFolder();
  const { id } = deriveAuditKey(FIRST);
  expect(open(dataDir, SECOND).known.has(id)).toBe(false);
  expect(open(dataDir, SECOND, [FIRST]).known.has(id)).toBe(true);
  expect(open(dataDir, SECOND).known.has(id)).toBe(true);
});

test("reports a stored key that doesn't match its name, and still signs", () => {
  const dataDir = newFolder();
  const { current } = open(dataDir, FIRST);
  const file = path.join(dataDir, "audit-keys", current.id);
  writeFileSync(file, deriveAuditKey(SECOND).secret.toString("base64url"));
  expect(() => readKeptKeys(dataDir)).toThrow(`${file} doesn't hold the key it is named after.`);
  expect(open(dataDir, FIRST).current).toEqual(current);
});

test("still signs when DATA_DIR can't be written", () => {
  const dataDir = newFolder();
  writeFileSync(path.join(dataDir, "audit-keys"), "a file where the folder should be");
  expect(open(dataDir, FIRST).current).toEqual(deriveAuditKey(FIRST));
});
