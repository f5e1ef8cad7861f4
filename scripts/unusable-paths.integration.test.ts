import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import { testProgram } from "@/lib/server/test-programs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "plumbline-paths-"));
const file = path.join(folder, "file");
writeFileSync(file, "no backup");

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await store.drop();
});

/** Runs a command without the caller's configuration. */
function command(
  script: Parameters<typeof testProgram>[0],
  args: readonly string[],
  env: Record<string, string>,
) {
  return new Promise<{ code: number; err: string }>((resolve) => {
    execFile(
      process.execPath,
      [testProgram(script), ...args],
      {
        cwd: root,
        env: { PATH: process.env["PATH"], NODE_ENV: "test", ...env },
        timeout: 60_000,
      },
      (error, _out, err) => resolve({ code: Number(error?.code ?? 0), err }),
    );
  });
}

/** A system error code, or a stack. */
const RAW = /\bE(ACCES|EXIST|IO|ISDIR|NOENT|NOSPC|NOTDIR|PERM|ROFS)\b|\n {4}at /;
const DATABASE = () => ({ DATABASE_URL: store.database.connectionString });

describe("an unusable path is named with its problem", () => {
  test.each([
    ["/proc/x", /it doesn't exist, or can't be created there/],
    [file, /something else is in its place|part of the path is a file, not a folder/],
    [path.join(file, "x"), /part of the path is a file, not a folder/],
  ])("DATA_DIR=%s", async (dataDir, why) => {
    for (const [script, args] of [
      ["scripts/people.ts", ["list"]],
      ["scripts/retention.ts", []],
    ] as const) {
      const { code, err } = await command(script, args, { DATA_DIR: dataDir });
      expect({ script, code, err }).toMatchObject({ code: 1 });
      expect(err).toMatch(/^DATA_DIR/);
      expect(err).toMatch(why);
      expect(err).not.toMatch(RAW);
    }
  });

  test.each([
    [path.join(folder, "absent/x"), "it doesn't exist"],
    [path.join(file, "x"), "part of the path is a file, not a folder"],
    ["/proc/x", "it doesn't exist, or can't be created there"],
    [file, "already exists. Choose another name."],
  ])("npm run backup -- %s", async (target, why) => {
    const { code, err } = await command("scripts/backup.ts", [target], {
      ...DATABASE(),
      AUTH_SECRET: "a secret of the test, long enough",
    });
    expect({ code, err }).toMatchObject({ code: 1 });
    expect(err).toContain(target);
    expect(err).toContain(why);
    expect(err).not.toMatch(RAW);
  });

  test.each([
    [path.join(folder, "absent"), "There is no file"],
    [path.join(file, "x"), "part of the path is a file, not a folder"],
    [folder, "isn't a file"],
  ])("npm run restore -- %s", async (source, why) => {
    const { code, err } = await command("scripts/restore.ts", [source], {
      ...DATABASE(),
      AUTH_SECRET: "a secret of the test, long enough",
    });
    expect({ code, err }).toMatchObject({ code: 1 });
    expect(err).toContain(source);
    expect(err).toContain(why);
    expect(err).not.toMatch(RAW);
  });
});
