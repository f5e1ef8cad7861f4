import path from "node:path";
import { Worker } from "node:worker_threads";

/** How hard a text is to guess. */
export type Measured = {
  /** 0 to 4. */
  score: number;
  /** zxcvbn's name for the longest matched pattern, such as `dictionary`; null: nothing matched. */
  pattern: string | null;
  /** The dictionary that pattern is in: `words`, or `userInputs` for the caller's words; null: none. */
  dictionary: string | null;
};

/** Messages to and from `password-meter-worker.mjs`. */
type MeterRequest = { id: number; text: string; words: readonly string[] };
type Answered = { id: number; measured: Measured };

export type PasswordMeter = {
  /**
   * Measures the first 40 characters of a text, off the event loop.
   * @param words texts to treat like the most common words; at most fifty are used
   * @throws Error when the thread can't be started, or has ended
   */
  measure(text: string, words: readonly string[]): Promise<Measured>;
  /** Terminates the thread, if it is running; pending measurements reject. */
  stop(): Promise<void>;
};

/** Characters measured. A strong prefix is sufficient, and the time grows with the square of the length. */
const LOOKED_AT = 40;
const MAX_WORDS = 50;
const LONGEST_WORD = 100;
const PROGRAM = "lib/server/auth/password-meter-worker.mjs";

/** @returns a meter with one thread, started at first use and again after a failure */
export function createPasswordMeter(): PasswordMeter {
  type Waiting = { resolve: (measured: Measured) => void; reject: (error: Error) => void };
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  let isStopped = false;
  let lastId = 0;

  function start(): Worker {
    const file = path.join(/* turbopackIgnore: true */ process.cwd(), PROGRAM);
    const started = new Worker(/* turbopackIgnore: true */ file);
    const fail = (error: Error) => {
      // Pending measurements may already belong to the next thread.
      if (thread !== started) return;
      thread = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on("error", fail);
    started.on("exit", () => fail(new Error("the password meter has ended")));
    started.on("message", ({ id, measured }: Answered) => {
      waiting.get(id)?.resolve(measured);
      waiting.delete(id);
      // An idle thread must not keep the process alive.
      if (waiting.size === 0) started.unref();
    });
    return started;
  }

  return {
    async measure(text, words) {
      if (isStopped) throw new Error("the password meter has ended");
      thread ??= start();
      thread.ref();
      const request: MeterRequest = {
        id: (lastId += 1),
        text: text.slice(0, LOOKED_AT),
        words: words.slice(0, MAX_WORDS).map((word) => word.slice(0, LONGEST_WORD)),
      };
      const measured = new Promise<Measured>((resolve, reject) => {
        waiting.set(request.id, { resolve, reject });
      });
      thread.postMessage(request, []);
      return measured;
    },

    async stop() {
      isStopped = true;
      await thread?.terminate();
    },
  };
}
