import { once } from "node:events";
import { Client, type QueryConfig } from "pg";
import type { Turns } from "./turns";

/** A simulated process, which can be killed between any two of its operations. */
export type SimulatedProcess = {
  /** The application name of its database connections. */
  readonly name: string;
  isAlive(): boolean;
  /**
   * Runs one operation in its turn. Never settles if the process is dead by then.
   * @param of operations of the same subject keep their order; null: none to keep
   */
  operate<T>(of: object | null, run: () => Promise<T>): Promise<T>;
  /**
   * Kills it at its nth operation from now.
   * @param isLate after that operation was carried out, so that its result is lost; else before
   */
  killAt(operations: number, isLate: boolean): void;
  /** Kills it now. */
  kill(): void;
  /** While true, none of its operations is run, except those of a transaction that is open. */
  setHanging(isHanging: boolean): void;
  /**
   * Calls `onReached` when it is about to make its nth write as a leader from now: after what it read for that, and
   * before PostgreSQL knows of it. Replaces an earlier call.
   */
  beforeWrite(writes: number, onReached: () => void): void;
  /** While true, its operations on the database fail: it has lost the network to it. */
  setDatabaseAway(isAway: boolean): void;
  /** While true, PostgreSQL has no room for what its statements write. */
  setDatabaseFull(isFull: boolean): void;
  /** While not null, PostgreSQL doesn't answer it. @param untilGivenUp resolves when the driver gives up */
  setDatabaseHanging(untilGivenUp: (() => Promise<void>) | null): void;
};

/** All simulated processes, and what they have in common: PostgreSQL's driver. */
export type Processes = {
  /** @param on.term called once it has begun a term as a leader */
  start(name: string, on: { killed: () => void; term: () => void }): SimulatedProcess;
  /** While true, PostgreSQL takes no writes, as a standby does. Transactions that are open go on. */
  setReadOnly(isReadOnly: boolean): void;
  /** Gives the driver back. */
  restore(): void;
};

/** PostgreSQL, as the simulation sees it. */
export type Backends = {
  /** Awaited before each statement: sets PostgreSQL's clock. */
  beforeStatement(): Promise<void>;
  /** @returns those of PostgreSQL's processes that live */
  alive(pids: readonly number[]): Promise<ReadonlySet<number>>;
  /** From now on its sessions count as silent, or no longer. @param application see `SimulatedProcess.name` */
  setHanging(application: string, isHanging: boolean): void;
};

/** Makes the driver of PostgreSQL take turns, for the connections of simulated processes. */
export function createProcesses(turns: Turns, backends: Backends): Processes {
  const processes = new Map<string, Process>();
  const sessions = createSessions(backends);
  const restore = patchDriver((client) => processes.get(nameOf(client)));
  return {
    start(name, on) {
      const process = new Process(name, { turns, sessions, on });
      processes.set(name, process);
      return process;
    },
    setReadOnly: (isReadOnly) => sessions.setReadOnly(isReadOnly),
    restore,
  };
}

/** The sessions of all processes: what becomes of them in real time must decide nothing. */
function createSessions(backends: Backends) {
  const open = new Map<number, Client>();
  let closed: number[] = [];
  let isReadOnly = false;
  const readOnly = new WeakSet<Client>();

  return {
    setReadOnly: (whether: boolean) => void (isReadOnly = whether),
    /** Between transactions: lets a session take writes, or not. @param run runs a statement */
    async applyReadOnly(client: Client, run: (text: string) => Promise<unknown>): Promise<void> {
      if (readOnly.has(client) === isReadOnly) return;
      await run(`set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`);
      if (isReadOnly) readOnly.add(client);
      else readOnly.delete(client);
    },
    opened(client: Client): void {
      const pid = pidOf(client);
      open.set(pid, client);
      client.on("end", () => void open.delete(pid));
    },
    /** Closes its socket without a word, as the kernel does for a process that dies. */
    close(client: Client): void {
      closed.push(pidOf(client));
      client.on("error", () => {});
      client.connection.stream.destroy();
    },
    /** Waits until PostgreSQL has noticed which sockets are closed, and let go of their locks. */
    async beforeStatement(): Promise<void> {
      const pids = closed;
      closed = [];
      while (pids.length > 0 && (await backends.alive(pids)).size > 0);
      await backends.beforeStatement();
    },
    /** Waits until the driver has noticed which sessions PostgreSQL has ended. */
    async afterTermination(): Promise<void> {
      const alive = await backends.alive([...open.keys()]);
      const gone = [...open].filter(([pid]) => !alive.has(pid));
      await Promise.all(gone.map(([, client]) => once(client, "end")));
    },
  };
}

/** PostgreSQL's process id of a connection. */
const pidOf = (client: Client) => (client as Client & { processID: number }).processID;

/** What a dead process awaits. */
const NEVER = new Promise<never>(() => {});

/** PostgreSQL and the driver end nothing by real time. */
const WITHOUT_REAL_TIME = {
  query_timeout: 0,
  statement_timeout: 0,
  idle_in_transaction_session_timeout: 0,
} as const;

class Process implements SimulatedProcess {
  readonly name: string;
  readonly #turns: Turns;
  readonly #sessions: ReturnType<typeof createSessions>;
  readonly #on: { killed: () => void; term: () => void };
  readonly #clients = new Set<Client>();
  readonly #inTransaction = new WeakSet<Client>();
  #isAlive = true;
  #isHanging = false;
  #isDatabaseAway = false;
  #isDatabaseFull = false;
  #untilGivenUp: (() => Promise<void>) | null = null;
  #left: { operations: number; isLate: boolean } | null = null;
  #write: { left: number; onReached: () => void } | null = null;

  constructor(
    name: string,
    given: {
      turns: Turns;
      sessions: ReturnType<typeof createSessions>;
      on: { killed: () => void; term: () => void };
    },
  ) {
    this.name = name;
    this.#turns = given.turns;
    this.#sessions = given.sessions;
    this.#on = given.on;
  }

  isAlive(): boolean {
    return this.#isAlive;
  }

  operate<T>(of: object | null, run: () => Promise<T>): Promise<T> {
    if (!this.#isAlive) return NEVER;
    const isHeldUp = () => this.#isAlive && this.#isHanging;
    const runUnlessDead = async () => {
      if (!this.#isAlive) return null;
      const { isDue, isLate } = this.#comesToKill();
      if (isDue && !isLate) {
        this.kill();
        return null;
      }
      const result = await settled(run);
      if (isDue) this.kill();
      return this.#isAlive ? result : null;
    };
    return this.#turns.take({ of, isHeldUp, run: runUnlessDead });
  }

  #comesToKill(): { isDue: boolean; isLate: boolean } {
    if (this.#left === null) return { isDue: false, isLate: false };
    this.#left.operations -= 1;
    return { isDue: this.#left.operations <= 0, isLate: this.#left.isLate };
  }

  killAt(operations: number, isLate: boolean): void {
    this.#left = { operations, isLate };
  }

  kill(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    for (const client of this.#clients) {
      this.#turns.drop(client);
      this.#sessions.close(client);
    }
    this.#on.killed();
  }

  setHanging(isHanging: boolean): void {
    this.#isHanging = isHanging;
  }

  beforeWrite(writes: number, onReached: () => void): void {
    this.#write = { left: writes, onReached };
  }

  #comesToWrite(): void {
    if (this.#write === null || !this.#isAlive) return;
    this.#write.left -= 1;
    if (this.#write.left > 0) return;
    const { onReached } = this.#write;
    this.#write = null;
    onReached();
  }

  setDatabaseAway(isAway: boolean): void {
    this.#isDatabaseAway = isAway;
    if (!isAway) return;
    for (const client of this.#clients) this.#sessions.close(client);
  }

  setDatabaseFull(isFull: boolean): void {
    this.#isDatabaseFull = isFull;
  }

  setDatabaseHanging(untilGivenUp: (() => Promise<void>) | null): void {
    this.#untilGivenUp = untilGivenUp;
  }

  /** A statement without an answer; PostgreSQL ends the transaction that it belongs to, and nothing is told of it. */
  async #unanswered(
    client: Client,
    untilGivenUp: () => Promise<void>,
    rollBack: () => Promise<unknown>,
  ): Promise<never> {
    await this.operate(client, rollBack);
    this.#turns.release(client);
    await untilGivenUp();
    return this.operate(client, () => Promise.reject(new Error("Query read timeout (simulated)")));
  }

  connect(client: Client, run: () => Promise<void>): Promise<void> {
    Object.assign(client.connectionParameters, WITHOUT_REAL_TIME);
    if (this.#untilGivenUp !== null)
      return this.#unanswered(client, this.#untilGivenUp, () => Promise.resolve());
    return this.operate(client, async () => {
      if (this.#isDatabaseAway) throw new Error("connect ECONNREFUSED (simulated)");
      await this.#sessions.beforeStatement();
      this.#clients.add(client);
      client.on("end", () => {
        this.#clients.delete(client);
        this.#turns.release(client);
      });
      await run();
      this.#sessions.opened(client);
    });
  }

  end(client: Client, run: () => Promise<void>): Promise<void> {
    return this.operate(client, run);
  }

  query(
    client: Client,
    text: string,
    {
      run,
      runOther,
    }: { run: () => Promise<unknown>; runOther: (text: string) => Promise<unknown> },
  ): Promise<unknown> {
    const verb = text.trimStart().slice(0, 20).toLowerCase();
    if (verb.startsWith("begin") || verb.startsWith("with term as")) this.#comesToWrite();
    if (this.#untilGivenUp !== null)
      return this.#unanswered(client, this.#untilGivenUp, () => runOther("rollback"));
    return this.operate(client, async () => {
      if (this.#isDatabaseAway) throw new Error("Connection terminated (simulated)");
      if (this.#isDatabaseFull && WRITES.test(text)) throw noRoom();
      await this.#sessions.beforeStatement();
      if (!this.#inTransaction.has(client)) await this.#sessions.applyReadOnly(client, runOther);
      if (verb.startsWith("begin")) {
        this.#inTransaction.add(client);
        this.#turns.hold(client);
      }
      try {
        const result = await run();
        if (verb.startsWith("insert into leads")) this.#on.term();
        return result;
      } finally {
        if (text.includes("pg_terminate_backend")) await this.#sessions.afterTermination();
        if (verb.startsWith("commit") || /^rollback(?! to)/.test(verb)) {
          this.#inTransaction.delete(client);
          this.#turns.release(client);
        }
      }
    });
  }
}

/** Statements that need room on the disk. */
const WRITES = /^\s*(?:insert|update|delete|with[^;]+(?:insert into|update|delete from))\b/i;

/** PostgreSQL's error when the disk is full. */
function noRoom(): Error {
  return Object.assign(new Error("could not extend file: No space left on device"), {
    code: "53100",
    severity: "ERROR",
  });
}

/** Runs it, and returns what passes on its result or its error. */
async function settled<T>(run: () => Promise<T>): Promise<() => T> {
  try {
    const value = await run();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

type Callback = (error: unknown, result?: unknown) => void;
type AnyMethod = (...given: unknown[]) => Promise<unknown>;

function patchDriver(processOf: (client: Client) => Process | undefined): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- called with `call`
  const { query, connect, end } = Client.prototype;
  const prepare = createPrepare();
  Client.prototype.query = function patched(this: Client, ...all: unknown[]) {
    const process = processOf(this);
    const run = query as AnyMethod;
    const [what, ...rest] = all;
    if (process === undefined || (what as { submit?: unknown }).submit !== undefined)
      return run.apply(this, all);
    const text = typeof what === "string" ? what : (what as { text: string }).text;
    const callback = [...rest, (what as { callback?: unknown }).callback].find(
      (one): one is Callback => typeof one === "function",
    );
    const given = rest.filter((one) => typeof one !== "function");
    const prepared = prepare(what as string | QueryConfig, given);
    const result = process.query(this, text, {
      run: () => run.call(this, ...prepared),
      runOther: (own) => run.call(this, own),
    });
    return passOn(result, callback);
  } as typeof query;
  Client.prototype.connect = function patched(this: Client, callback?: Callback) {
    const process = processOf(this);
    const run = connect as AnyMethod;
    if (process === undefined) return run.call(this, ...(callback ? [callback] : []));
    const connected = process.connect(this, async () => void (await run.call(this)));
    return passOn(connected, callback);
  } as typeof connect;
  Client.prototype.end = function patched(this: Client, callback?: Callback) {
    const process = processOf(this);
    const run = end as AnyMethod;
    if (process === undefined) return run.call(this, ...(callback ? [callback] : []));
    const ended = process.end(this, async () => void (await run.call(this)));
    return passOn(ended, callback);
  } as typeof end;
  return () => Object.assign(Client.prototype, { query, connect, end });
}

/** Statements with parameters that were seen so often are prepared: PostgreSQL plans them once for each connection. */
const SEEN_BEFORE_PREPARED = 3;

/** Gives a statement the name under which PostgreSQL keeps its plan, unless it has one. */
function createPrepare(): (what: string | QueryConfig, given: unknown[]) => unknown[] {
  const seen = new Map<string, { name: string; times: number }>();
  return (what, given) => {
    const config: QueryConfig = typeof what === "string" ? { text: what } : what;
    const values: unknown = config.values ?? given[0];
    if (!Array.isArray(values) || values.length === 0 || config.name !== undefined)
      return [what, ...given];
    const one = seen.get(config.text) ?? { name: `simulated ${seen.size}`, times: 0 };
    seen.set(config.text, one);
    one.times += 1;
    return one.times < SEEN_BEFORE_PREPARED
      ? [what, ...given]
      : [{ ...config, name: one.name, values }];
  };
}

function passOn(result: Promise<unknown>, callback: Callback | undefined): unknown {
  if (callback === undefined) return result;
  void tell(result, callback);
  return undefined;
}

async function tell(result: Promise<unknown>, callback: Callback): Promise<void> {
  const pass = await settled(() => result);
  let value: unknown;
  try {
    value = pass();
  } catch (error) {
    callback(error);
    return;
  }
  callback(null, value);
}

function nameOf(client: Client): string {
  return client.connectionParameters.application_name ?? "";
}

declare module "pg" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merges into pg's own interface
  interface Client {
    readonly connectionParameters: { application_name?: string };
  }
}
