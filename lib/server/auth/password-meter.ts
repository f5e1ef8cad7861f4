import path from "node:path";
import { Worker } from "node:worker_threads";

/** How hard a text is to guess. */
export type Measured = {
  /** 0 to 4. */
  score: number;
  /** Of what takes most of it, in the meter's words, such as `dictionary`; null: of nothing. */
  pattern: string | null;
  /** Which dictionary that is in: `words`, or `userInputs` for the given ones; null: in none. */
  dictionary: string | null;
};

/** Wire, to `password-meter-worker.mjs` and back. */
type Asked = { id: number; text: string; words: readonly string[] };
type Answered = { id: number; measured: Measured };

export type PasswordMeter = {
  /**
   * Measures the beginning of a text, away from the event loop.
   * @param words what is as easy to guess as the most common words; those beyond fifty don't count
   * @throws Error when the thread could not be started, or ended
   */
  measure(text: string, words: readonly string[]): Promise<Measured>;
  /** Ends the thread, if there is one; what is being measured is rejected. */
  stop(): Promise<void>;
};

/** A beginning that is hard to guess is enough, and the time it takes grows with the square of its length. */
const LOOKED_AT = 40;
const MOST_WORDS = 50;
const LONGEST_WORD = 100;
const PROGRAM = "lib/server/auth/password-meter-worker.mjs";

/** @returns a meter that starts its one thread when it is first asked, and again after a failure */
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
      // What waits by then may wait for the next one.
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
      // An idle thread keeps no process alive.
      if (waiting.size === 0) started.unref();
    });
    return started;
  }

  return {
    async measure(text, words) {
      if (isStopped) throw new Error("the password meter has ended");
      thread ??= start();
      thread.ref();
      const asked: Asked = {
        id: (lastId += 1),
        text: text.slice(0, LOOKED_AT),
        words: words.slice(0, MOST_WORDS).map((word) => word.slice(0, LONGEST_WORD)),
      };
      const measured = new Promise<Measured>((resolve, reject) => {
        waiting.set(asked.id, { resolve, reject });
      });
      thread.postMessage(asked, []);
      return measured;
    },

    async stop() {
      isStopped = true;
      await thread?.terminate();
    },
  };
}
