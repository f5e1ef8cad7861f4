import { readFile, stat } from "node:fs/promises";
import type { Clock } from "@/lib/server/clock";
import { readProblem } from "@/lib/server/environment";
import type { Log } from "@/lib/server/log";
import { pause } from "@/lib/server/waiting";

/** What a file of configuration says, or what is wrong with it, a sentence each; values are never repeated. */
export type Judged<T> = { value: T } | { problems: readonly string[] };

/** How a file of configuration is; instants are epoch milliseconds on our clock. */
export type FileState = {
  /** When what is in use was read. */
  readAtMs: number;
  /** Why what the file says now is not in use, and since when; null: it is in use. */
  refused: { sinceMs: number; problems: readonly string[] } | null;
};

/** A file of configuration that is read again whenever it changes. */
export type ConfigurationFile = {
  state(): FileState;
  /** Begins to look at the file, until `stop`. */
  start(): void;
  stop(): Promise<void>;
};

const LOOK_MS = 2_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** What a look saw, or why it saw nothing. */
type Sight = { content: string } | { why: string };

/**
 * Creates what looks at a file every two seconds and takes over what it says once that has changed. A change
 * counts when two looks in a row see the same: a file that is being written is not judged half. The file is read
 * by its name each time, so one that was put in its place, or behind a link, is found as well.
 *
 * What is wrong with the new one is said, and the old one stays in use, also when the file is gone.
 * @param options.name of the variable that names the file
 * @param options.read judges the whole content; must not throw
 * @param options.takeOver takes over what was read; where it throws, it is tried again at the next look
 */
export function createConfigurationFile<T>(options: {
  name: string;
  /** Absolute path. */
  file: string;
  clock: Clock;
  log: Log;
  read: (content: string) => Judged<T>;
  takeOver: (value: T) => void;
}): ConfigurationFile {
  const { name, file, clock, log, read, takeOver } = options;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let state: FileState = { readAtMs: clock.nowMs(), refused: null };
  /** What was judged last, and what the look before saw; null: nothing yet. */
  let judged: Sight | null = null;
  let seen: Sight | null = null;

  async function look(): Promise<void> {
    const sight = await readSight(file);
    const isSettled = isSame(sight, seen);
    seen = sight;
    if (!isSettled || isSame(sight, judged)) return;
    judged = sight;
    judge("why" in sight ? { problems: [`${name}: ${sight.why}`] } : read(sight.content));
  }

  function judge(found: Judged<T>): void {
    if ("problems" in found) {
      state = { ...state, refused: { sinceMs: clock.nowMs(), problems: found.problems } };
      log.error(
        { event: "configuration_refused", file: name, problems: found.problems.slice(0, 20) },
        "a changed file of configuration is refused: what was read before stays in use",
      );
      return;
    }
    const wasRefused = state.refused !== null;
    takeOver(found.value);
    state = { readAtMs: clock.nowMs(), refused: null };
    if (wasRefused) log.info({ event: "configuration_read", file: name }, "the file is good again");
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await look();
      } catch (err) {
        log.error({ err, file: name }, "a changed file of configuration was not taken over");
        // It is judged again at the next look.
        judged = null;
      }
      await pause(clock, LOOK_MS, stopping.signal);
    }
  }

  return {
    state: () => state,
    start() {
      running = follow();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function readSight(file: string): Promise<Sight> {
  try {
    const about = await stat(file);
    // Reading a pipe would wait for whoever writes into it.
    if (!about.isFile()) return { why: "must be a file" };
    if (about.size > MOST_BYTES) return { why: "the file is larger than 4 MB" };
    return { content: await readFile(file, "utf8") };
  } catch (error) {
    return { why: `the file cannot be read: ${readProblem(error)}` };
  }
}

function isSame(a: Sight, b: Sight | null): boolean {
  if (b === null) return false;
  return "why" in a ? "why" in b && a.why === b.why : "content" in b && a.content === b.content;
}
