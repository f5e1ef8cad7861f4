import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const FOLDERS = ["lib/server/store/migrations", "lib/v3-service/store/migrations"];

test.each(FOLDERS)("%s keeps the snapshot of its newest migration only", (folder) => {
  const meta = path.join(folder, "meta");
  const journal = JSON.parse(readFileSync(path.join(meta, "_journal.json"), "utf8")) as {
    entries: { tag: string }[];
  };
  const newest = journal.entries.at(-1)?.tag.slice(0, 4);
  expect(readdirSync(meta).toSorted()).toEqual([`${newest}_snapshot.json`, "_journal.json"]);
});

test.each(FOLDERS)("%s: each migration is later than those before it", (folder) => {
  // A database runs only those that are later than the last one that it ran.
  const journal = JSON.parse(readFileSync(path.join(folder, "meta/_journal.json"), "utf8")) as {
    entries: { idx: number; when: number; tag: string }[];
  };
  const { entries } = journal;
  expect(entries.map(({ idx }) => idx)).toEqual(entries.map((_, at) => at));
  for (const key of ["when", "tag"] as const)
    expect(entries).toEqual(entries.toSorted((a, b) => (a[key] < b[key] ? -1 : 1)));
});
