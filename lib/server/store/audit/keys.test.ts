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

test("the same secret gives the same key everywhere, another one another", () => {
  const [here, there] = [open(newFolder(), FIRST), open(newFolder(), FIRST)];
  expect(here.current).toEqual(there.current);
  expect(deriveAuditKey(SECOND).id).not.toBe(here.current.id);
  expect(here.current.id).toMatch(/^[0-9a-f]{16}$/);
  expect(here.current.secret).toHaveLength(32);
});

test("a key is kept for nobody else to read, and does not tell the secret it follows from", () => {
  const dataDir = newFolder();
  const { current } = open(dataDir, FIRST);
  const file = path.join(dataDir, "audit-keys", current.id);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  expect(readFileSync(file, "utf8")).not.toContain(FIRST);
  expect(readdirSync(path.dirname(file))).toEqual([current.id]);
});

test("a changed secret leaves the keys before known, from DATA_DIR", () => {
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

test("where DATA_DIR was lost, an earlier secret that is given makes its key known, for good", () => {
  const dataDir = newFolder();
  const { id } = deriveAuditKey(FIRST);
  expect(open(dataDir, SECOND).known.has(id)).toBe(false);
  expect(open(dataDir, SECOND, [FIRST]).known.has(id)).toBe(true);
  expect(open(dataDir, SECOND).known.has(id)).toBe(true);
});

test("a kept key that is not what its name says is told of, and does not keep us from signing", () => {
  const dataDir = newFolder();
  const { current } = open(dataDir, FIRST);
  const file = path.join(dataDir, "audit-keys", current.id);
  writeFileSync(file, deriveAuditKey(SECOND).secret.toString("base64url"));
  expect(() => readKeptKeys(dataDir)).toThrow(`${file} doesn't hold the key it is named after.`);
  expect(open(dataDir, FIRST).current).toEqual(current);
});

test("a DATA_DIR that cannot be written does not keep us from signing", () => {
  const dataDir = newFolder();
  writeFileSync(path.join(dataDir, "audit-keys"), "a file where the folder should be");
  expect(open(dataDir, FIRST).current).toEqual(deriveAuditKey(FIRST));
});
