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
