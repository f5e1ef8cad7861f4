import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect } from "vitest";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { testProgram } from "@/lib/server/test-programs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "plumbline-paths-"));
const file = path.join(folder, "file");
writeFileSync(file, "no backup");

const test = databaseTest();
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command without the caller's configuration. */
function command(
  script: Parameters<typeof testProgram>[0],
  args: readonly string[],
  env: Record<string, string>,
) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(
      process.execPath,
      [testProgram(script), ...args],
      {
        cwd: root,
        env: { PATH: process.env["PATH"], NODE_ENV: "test", ...env },
        timeout: 60_000,
      },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

/** A system error code, an SQLSTATE, or a stack. */
const RAW =
  /\bE(ACCES|AI_AGAIN|CONN\w+|EXIST|IO|ISDIR|NOENT|NOSPC|NOTDIR|NOTFOUND|PERM|PIPE|ROFS|TIMEDOUT)\b|\b(08|28|3D|42|53|57|58)[\dA-Z]{3}\b|\n {4}at /;
/** What a terminal obeys rather than shows; the ends of lines and the tabs of tables are ours. */
const OBEYED = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/u;
/** Clears the line, in two ways, turns the direction of writing and begins another line. */
const NASTY = "x\u001B[2K\u009B2K\u202Ex\u2028ok";
const DATABASE = (db: TestDatabase) => ({ DATABASE_URL: db.database.connectionString });

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

  test.for([
    [path.join(folder, "absent/x"), "it doesn't exist"],
    [path.join(file, "x"), "part of the path is a file, not a folder"],
    ["/proc/x", "it doesn't exist, or can't be created there"],
    [file, "already exists. Choose another name."],
  ] as const)("npm run backup -- %s", async ([target, why], { db }) => {
    const { code, err } = await command("scripts/backup.ts", [target], {
      ...DATABASE(db),
      AUTH_SECRET: "a secret of the test, long enough",
    });
    expect({ code, err }).toMatchObject({ code: 1 });
    expect(err).toContain(target);
    expect(err).toContain(why);
    expect(err).not.toMatch(RAW);
  });

  test.for([
    [path.join(folder, "absent"), "There is no file"],
    [path.join(file, "x"), "part of the path is a file, not a folder"],
    [folder, "isn't a file"],
  ] as const)("npm run restore -- %s", async ([source, why], { db }) => {
    const { code, err } = await command("scripts/restore.ts", [source], {
      ...DATABASE(db),
      AUTH_SECRET: "a secret of the test, long enough",
    });
    expect({ code, err }).toMatchObject({ code: 1 });
    expect(err).toContain(source);
    expect(err).toContain(why);
    expect(err).not.toMatch(RAW);
  });
});

/** Every command, with words that have it open the database, and with one that tries to write on the terminal. */
const COMMANDS = {
  "audit:verify": { script: "scripts/audit-verify.ts", args: [], nasty: [NASTY] },
  backup: {
    script: "scripts/backup.ts",
    args: [path.join(folder, "to")],
    nasty: [path.join(folder, NASTY, "x")],
  },
  companies: {
    script: "scripts/companies.ts",
    args: ["list"],
    nasty: ["forget", NASTY],
  },
  connections: { script: "scripts/connections.ts", args: ["check", "x"], nasty: ["check", NASTY] },
  keys: { script: "scripts/keys.ts", args: ["reseal"], nasty: [NASTY] },
  people: { script: "scripts/people.ts", args: ["list"], nasty: ["disable", NASTY] },
  restore: { script: "scripts/restore.ts", args: [file], nasty: [path.join(folder, NASTY)] },
  retention: { script: "scripts/retention.ts", args: [], nasty: ["--drop", NASTY] },
  v3: {
    script: "scripts/v3.ts",
    args: ["clients", "list"],
    nasty: ["clients", "revoke", NASTY],
  },
} as const;
const NAMES = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];
const SECRET = { AUTH_SECRET: "a secret of the test, long enough" };

describe("whatever goes wrong in a command", () => {
  test("is tried of every command that there is", () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const all = Object.keys(scripts).filter((name) => scripts[name]?.startsWith("tsx scripts/"));
    expect(all.toSorted()).toEqual(NAMES.toSorted());
  });

  test.each(NAMES)("%s names the database that doesn't answer, and no error", async (name) => {
    const { script, args } = COMMANDS[name];
    const { code, err } = await command(script, args, {
      ...SECRET,
      DATA_DIR: path.join(folder, "data"),
      DATABASE_URL: "postgres://app:secret@127.0.0.1:9/plumbline",
    });
    expect({ code, err }).toMatchObject({ code: 1 });
    expect(err).not.toMatch(RAW);
    // A file that is no backup is refused before.
    if (name === "restore") expect(err).toContain(file);
    else expect(err).toMatch(/^DATABASE_URL: 127\.0\.0\.1:9: nothing answers there/);
  });

  test.for(NAMES)("%s says it without words that a terminal obeys", async (name, { db }) => {
    const { script, nasty } = COMMANDS[name];
    const { out, err } = await command(script, nasty, {
      ...SECRET,
      ...DATABASE(db),
      DATA_DIR: path.join(folder, "data"),
    });
    expect(out).not.toMatch(OBEYED);
    expect(err).not.toMatch(OBEYED);
    expect(err).not.toMatch(RAW);
  });

  test.each(NAMES)("%s names a variable of the configuration so", async (name) => {
    const { script, args } = COMMANDS[name];
    const { code, err } = await command(script, args, {
      ...SECRET,
      DATA_DIR: path.join(file, NASTY),
    });
    expect({ code, err }).toMatchObject({ code: 1 });
    expect(err).not.toMatch(OBEYED);
    expect(err).not.toMatch(RAW);
  });
});

test("names that were stored are listed without them too", async ({ db }) => {
  await db.asOwner(`insert into people (email, name) values ('nasty@example.com', E'${NASTY}')`);
  const { out } = await command("scripts/people.ts", ["list"], {
    ...SECRET,
    ...DATABASE(db),
    DATA_DIR: path.join(folder, "data"),
  });
  expect(out).toContain("nasty@example.com: x\\u{1B}[2K");
  expect(out).not.toMatch(OBEYED);
});
