import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import type { Database } from "@/lib/server/store/database";
import { createCheckRecord } from "./check-record";
import type { WatchedCompany } from "./watched-company";

let lines: { company?: string; msg?: string }[];
let record: ReturnType<typeof createCheckRecord>;
beforeEach(() => {
  lines = [];
  record = createCheckRecord({
    database: {} as Database,
    log: pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) }),
    disk: { isLow: async () => false },
  });
});

const companies = ["northgate", "harbour"].map(
  (slug) => ({ slug, isRecording: true, state: { version: 0 } }) as WatchedCompany,
);
const [northgate, harbour] = companies as [WatchedCompany, WatchedCompany];

/** @param code SQLSTATE of the error; null: it is written */
async function write(company: WatchedCompany, code: string | null): Promise<void> {
  await record.write(company, new AbortController().signal, async () => {
    if (code !== null) throw Object.assign(new Error("not written"), { code });
    return true;
  });
}

const logged = () => lines.map(({ company, msg }) => `${company}: ${msg}`);
const of = ({ slug }: WatchedCompany) => `${slug}: the record could not be written`;
const DISK_FULL = "53100";
const INVALID_TEXT = "22021";

test("logs once that a database takes no writes, however many checks of how many companies fail", async () => {
  for (const _ of [1, 2, 3]) for (const company of companies) await write(company, DISK_FULL);
  expect(logged()).toEqual([of(northgate)]);
});

test("logs it again after it took some", async () => {
  await write(northgate, DISK_FULL);
  await write(northgate, null);
  await write(northgate, DISK_FULL);
  expect(logged()).toEqual([of(northgate), of(northgate)]);
});

test("logs of each company that its own rows can't be written, while others' are", async () => {
  for (const _ of [1, 2, 3]) {
    await write(northgate, INVALID_TEXT);
    await write(harbour, null);
  }
  await write(harbour, INVALID_TEXT);
  expect(logged()).toEqual([of(northgate), of(harbour)]);
});
