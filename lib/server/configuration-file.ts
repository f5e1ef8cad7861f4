import { readFile, stat } from "node:fs/promises";
import type { Clock } from "@/lib/server/clock";
import { readProblem } from "@/lib/server/environment";
import type { Log } from "@/lib/server/log";
import { pause } from "@/lib/server/waiting";

/** A validated configuration file, or its problems, one sentence each; they never quote values. */
export type Judged<T> = { value: T } | { problems: readonly string[] };

/** State of a configuration file; times are epoch milliseconds on our clock. */
export type FileState = {
  /** When the configuration in use was read. */
  readAtMs: number;
  /** Why the current content isn't in use, and since when; null: it is in use. */
  refused: { sinceMs: number; problems: readonly string[] } | null;
};

/** A configuration file that is reloaded when it changes. */
export type ConfigurationFile = {
  state(): FileState;
  /** Polls the file until `stop`. */
  start(): void;
  stop(): Promise<void>;
};

const LOOK_MS = 2_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** The content read, or why it can't be read. */
type Reading = { content: string } | { why: string };

/**
 * Polls a file every two seconds and applies its content when it changes. A change counts once two polls in a row read
 * the same content, so a partly written file isn't validated. The file is opened by name each time, so replaced files
 * and changed symbolic links are noticed.
 *
 * If the new content is invalid, or the file is missing, the problems are logged and the old content stays in use.
 * @param options.name the variable that names the file
 * @param options.read validates the whole content; must not throw
 * @param options.takeOver applies the validated content; if it throws, it is called again at the next poll
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
  /** The content validated last, and the content of the previous poll; null: none yet. */
  let judged: Reading | null = null;
  let seen: Reading | null = null;

  async function look(): Promise<void> {
    const reading = await readContent(file);
    const isSettled = isSame(reading, seen);
    seen = reading;
    if (!isSettled || isSame(reading, judged)) return;
    judged = reading;
    judge("why" in reading ? { problems: [`${name}: ${reading.why}`] } : read(reading.content));
  }

  function judge(found: Judged<T>): void {
    if ("problems" in found) {
      state = { ...state, refused: { sinceMs: clock.nowMs(), problems: found.problems } };
      log.error(
        { event: "configuration_refused", file: name, problems: found.problems.slice(0, 20) },
        "a changed configuration file is invalid: the previous one stays in use",
      );
      return;
    }
    const wasRefused = state.refused !== null;
    takeOver(found.value);
    state = { readAtMs: clock.nowMs(), refused: null };
    if (wasRefused)
      log.info(
        { event: "configuration_read", file: name },
        "the configuration file is valid again",
      );
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await look();
      } catch (err) {
        log.error({ err, file: name }, "a changed configuration file could not be applied");
        // Retried at the next poll.
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

async function readContent(file: string): Promise<Reading> {
  try {
    const about = await stat(file);
    // Reading a pipe would block until it is written to.
    if (!about.isFile()) return { why: "must be a file" };
    if (about.size > MAX_BYTES) return { why: "the file is larger than 4 MB" };
    return { content: await readFile(file, "utf8") };
  } catch (error) {
    return { why: `the file cannot be read: ${readProblem(error)}` };
  }
}

function isSame(a: Reading, b: Reading | null): boolean {
  if (b === null) return false;
  return "why" in a ? "why" in b && a.why === b.why : "content" in b && a.content === b.content;
}
