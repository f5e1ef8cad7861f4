import { setTimeout as sleep } from "node:timers/promises";
import type { Fault as UpstreamFault, FaultOptions } from "@/e2e/upstream/fault";
import type { Instance } from "./instance";
import { within, type Site } from "./site";

/** A temporary fault. */
export type Fault = {
  name: string;
  /** The affected instances. */
  hits: readonly Instance[];
  lastsMs: number;
  /** Whether its process, or all of its connections, end at once; otherwise the leader may survive a short fault. */
  isEnd: boolean;
  begin(): Promise<void>;
  end(): Promise<void>;
};

/** A random whole number of seconds from `from` to `to`, in milliseconds. */
export type Seconds = (from: number, to: number) => number;

const POSTGRES_LIMIT_MS = 60_000;
const LOCKED = ["company_state", "deletions", "deletion_items", "leads", "schedule_files"] as const;

/**
 * Chooses the next fault.
 * @param random 0 to 1, exclusive
 * @param one the affected instance, if it affects only one
 */
export function chooseFault(site: Site, random: () => number, one: Instance): Fault {
  const seconds: Seconds = (from, to) => 1000 * Math.floor(from + random() * (to - from + 1));
  const { wire } = one;
  const heal = async () => wire.become("whole");
  const of = (parts: Omit<Fault, "hits">): Fault => ({ hits: [one], ...parts });
  const faults: (() => Fault)[] = [
    () =>
      of({
        name: "kill -9",
        lastsMs: seconds(0, 35),
        isEnd: true,
        begin: async () => one.signal("SIGKILL"),
        end: () => one.start(),
      }),
    () =>
      of({
        name: "SIGSTOP",
        lastsMs: seconds(3, 60),
        isEnd: false,
        begin: async () => one.signal("SIGSTOP"),
        end: async () => one.signal("SIGCONT"),
      }),
    () =>
      of({
        name: "stalled",
        lastsMs: seconds(3, 60),
        isEnd: false,
        begin: async () => wire.become("stalled"),
        end: heal,
      }),
    () =>
      of({
        name: "mute",
        lastsMs: seconds(3, 60),
        isEnd: false,
        begin: async () => wire.become("mute"),
        end: heal,
      }),
    () =>
      of({
        name: "reset",
        lastsMs: seconds(0, 40),
        isEnd: true,
        async begin() {
          wire.become("refusing");
          wire.reset();
        },
        end: heal,
      }),
    () =>
      of({
        name: "refusing",
        lastsMs: seconds(5, 30),
        isEnd: false,
        begin: async () => wire.become("refusing"),
        end: heal,
      }),
    () =>
      of({
        name: "restart",
        lastsMs: seconds(0, 10),
        isEnd: true,
        async begin() {
          const code = await one.stop();
          if (code !== 0) throw new Error(`${one.life()} ended with ${code}`);
        },
        end: () => one.start(),
      }),
    () => postgresFault(site, random() < 0.5 ? "SIGINT" : "SIGKILL"),
    () => lockFault(site, LOCKED[Math.floor(random() * LOCKED.length)] ?? "leads", seconds(3, 12)),
  ];
  const chosen = faults[Math.floor(random() * faults.length)] ?? faults[0];
  if (chosen === undefined) throw new Error("there is no fault to choose");
  return chosen();
}

function postgresFault(site: Site, signal: "SIGINT" | "SIGKILL"): Fault {
  const { instances, pool } = site;
  return {
    name: `PostgreSQL ${signal}`,
    hits: instances,
    lastsMs: 0,
    isEnd: false,
    async begin() {
      const pid = site.postgresPid();
      if (pid !== null) process.kill(pid, signal);
    },
    async end() {
      await sleep(1_000);
      const answers = () =>
        pool.query("select 1").then(
          () => true,
          () => false,
        );
      if (!(await within(POSTGRES_LIMIT_MS, answers))) throw new Error("PostgreSQL did not return");
    },
  };
}

/** Another session locks a table for a while. */
function lockFault({ instances, pool }: Site, table: string, lastsMs: number): Fault {
  let release = async () => {};
  return {
    name: `${table} locked`,
    hits: instances,
    lastsMs,
    isEnd: false,
    async begin() {
      const client = await pool.connect();
      await client.query("begin");
      await client.query(`lock table ${table} in access exclusive mode`);
      release = async () => {
        await client.query("rollback");
        client.release();
      };
    },
    end: () => release(),
  };
}

/** The source's simultaneous fault; null: none. */
export function chooseUpstreamFault(
  random: () => number,
): { fault: UpstreamFault; options: FaultOptions } | null {
  const deletes = { method: "DELETE", times: 1 + Math.floor(3 * random()) };
  const faults: ({ fault: UpstreamFault; options: FaultOptions } | null)[] = [
    null,
    null,
    { fault: { kind: "answer_lost" }, options: deletes },
    { fault: { kind: "answer_hangs" }, options: deletes },
    { fault: { kind: "reset" }, options: deletes },
    { fault: { kind: "slow_headers", delayMs: 3_000 }, options: {} },
    { fault: { kind: "error_500" }, options: { times: 10 } },
    // Not a DELETE: one rejected for its token is sent again under the same intent.
    { fault: { kind: "unauthorized" }, options: { method: "GET", times: 2 } },
  ];
  return faults[Math.floor(random() * faults.length)] ?? null;
}
