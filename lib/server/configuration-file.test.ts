import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as realTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createConfigurationFile, type ConfigurationFile } from "./configuration-file";
import { createLog } from "@/lib/server/log";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";

let folder: string;
let file: string;
let clock: ManualClock;
let lines: string[];
let used: string[];
let watched: ConfigurationFile;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "plumbline-configuration-"));
  file = path.join(folder, "words.txt");
  clock = createManualClock(1_000_000);
  lines = [];
  used = [];
});
afterEach(async () => {
  await watched.stop();
  rmSync(folder, { recursive: true });
});

/** "no" is invalid, "later" can't be applied until "ready" is used, and all other content is valid. */
async function start(content: string): Promise<void> {
  writeFileSync(file, content);
  watched = createConfigurationFile({
    name: "WORDS_FILE",
    file,
    clock,
    log: createLog("info", { write: (line) => void lines.push(line) }),
    read: (text) => (text === "no" ? { problems: ["WORDS_FILE: not no"] } : { value: text }),
    takeOver: (text) => {
      if (text === "later" && !used.includes("ready")) throw new Error("not ready");
      used.push(text);
    },
  });
  watched.start();
  await looks(2);
}

/** Advances the clock by this many polls. */
async function looks(count: number): Promise<void> {
  for (let look = 0; look < count; look += 1) {
    await clock.untilSleeping();
    await clock.advance(2_000);
    // Reading the file takes real time.
    while (clock.sleeping().length === 0) await realTurn(1);
  }
}

const events = () => lines.map((line) => (JSON.parse(line) as { event?: string }).event);

describe("a configuration file", () => {
  test("is reloaded once when it changes", async () => {
    await start("one");
    expect(used).toEqual(["one"]);
    writeFileSync(file, "two");
    await looks(2);
    expect(used).toEqual(["one", "two"]);
    expect(watched.state()).toEqual({ readAtMs: clock.nowMs(), refused: null });
    await looks(3);
    expect(used).toEqual(["one", "two"]);
  });

  test("isn't validated while it is being written", async () => {
    await start("one");
    for (const half of ["t", "tw", "no", "thr"]) {
      writeFileSync(file, half);
      await looks(1);
    }
    expect(used).toEqual(["one"]);
    writeFileSync(file, "three");
    await looks(2);
    expect(used).toEqual(["one", "three"]);
    expect(events()).toEqual([]);
  });

  test("stays in use when the new content is invalid, which is logged once", async () => {
    await start("one");
    const readAtMs = watched.state().readAtMs;
    writeFileSync(file, "no");
    await looks(5);
    expect(used).toEqual(["one"]);
    expect(watched.state()).toMatchObject({
      readAtMs,
      refused: { problems: ["WORDS_FILE: not no"] },
    });
    expect(events()).toEqual(["configuration_refused"]);
    writeFileSync(file, "one");
    await looks(2);
    expect(watched.state().refused).toBeNull();
    expect(events()).toEqual(["configuration_refused", "configuration_read"]);
  });

  test("is reported when it is deleted, and reloaded when it is replaced", async () => {
    await start("one");
    rmSync(file);
    await looks(2);
    expect(watched.state().refused?.problems).toEqual([
      "WORDS_FILE: the file cannot be read: it doesn't exist",
    ]);
    writeFileSync(`${file}.new`, "two");
    renameSync(`${file}.new`, file);
    await looks(2);
    expect(used).toEqual(["one", "two"]);
    expect(watched.state().refused).toBeNull();
  });

  test("is rejected if it is replaced by a pipe or by a file that is too large", async () => {
    await start("one");
    rmSync(file);
    execFileSync("mkfifo", [file]);
    await looks(2);
    expect(watched.state().refused?.problems).toEqual(["WORDS_FILE: must be a file"]);
    rmSync(file);
    writeFileSync(file, "x".repeat(5_000_000));
    await looks(2);
    expect(watched.state().refused?.problems).toEqual(["WORDS_FILE: the file is larger than 4 MB"]);
    expect(used).toEqual(["one"]);
  });

  test("is reloaded when a symbolic link to its folder changes", async () => {
    for (const [name, content] of [
      ["first", "one"],
      ["second", "two"],
    ] as const) {
      mkdirSync(path.join(folder, name));
      writeFileSync(path.join(folder, name, "words.txt"), content);
    }
    symlinkSync("first", path.join(folder, "..data"));
    file = path.join(folder, "..data", "words.txt");
    await start("one");
    symlinkSync("second", path.join(folder, "..next"));
    renameSync(path.join(folder, "..next"), path.join(folder, "..data"));
    await looks(2);
    expect(used).toEqual(["one", "two"]);
  });

  test("is applied again at the next poll after a failure", async () => {
    await start("one");
    writeFileSync(file, "later");
    await looks(2);
    expect(used).toEqual(["one"]);
    used.push("ready");
    await looks(1);
    expect(used).toEqual(["one", "ready", "later"]);
  });
});
