// Runs in every document before its own scripts: `Date`, `performance.now` and the timers of all
// frames of a tab follow one simulated time, which advances only by `testTime.pass`. Network and
// painting stay real, and are awaited. `%START%` is the initial value of the television's clock,
// epoch milliseconds.
(() => {
  /**
   * @typedef {object} Shared
   * @property {number} wallMs
   * @property {number} monotonicMs
   * @property {number} trueMs what a good clock would say
   * @property {number} nextId
   * @property {Map<number, { atMs: number, run: () => void, of: Window }>} timers
   * @property {number} underWay requests
   */
  const KEPT = "test-time";
  const top = /** @type {Window & { sharedTime?: Shared }} */ (window.top ?? window);
  const realTimeout = window.setTimeout.bind(window);
  const realFetch = window.fetch.bind(window);
  const RealDate = Date;

  if (top === window) {
    const startMs = Number("%START%");
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    } catch {
      // The browser's error pages have no storage.
    }
    const { wallMs, trueMs } = kept ?? { wallMs: startMs, trueMs: startMs };
    top.sharedTime = { wallMs, trueMs, monotonicMs: 0, nextId: 1, timers: new Map(), underWay: 0 };
  }
  const time = /** @type {Shared} */ (top.sharedTime);
  const bornMs = time.monotonicMs;

  window.Date = /** @type {any} */ (
    class extends RealDate {
      /** @param {unknown[]} given */
      constructor(...given) {
        // @ts-expect-error Date's own overloads
        super(...(given.length === 0 ? [time.wallMs] : given));
      }
      /** @override */
      static now() {
        return time.wallMs;
      }
    }
  );
  performance.now = () => time.monotonicMs - bornMs;

  const own = {
    /**
     * @param {(...all: unknown[]) => void} run
     * @param {number} ms
     * @param {unknown[]} given
     */
    setTimeout(run, ms = 0, ...given) {
      const id = time.nextId++;
      const atMs = time.monotonicMs + Math.max(0, ms);
      time.timers.set(id, { atMs, of: window, run: () => run(...given) });
      // Zero-delay timers run in real time, as in any browser.
      if (ms <= 1) realTimeout(runDue, 0);
      return id;
    },
    /** @param {number} id */
    clearTimeout(id) {
      time.timers.delete(id);
    },
    /**
     * @param {(...all: unknown[]) => void} run
     * @param {number} ms
     */
    setInterval(run, ms) {
      const id = time.nextId++;
      const next = () =>
        time.timers.set(id, {
          atMs: time.monotonicMs + Math.max(1, ms),
          of: window,
          run() {
            next();
            run();
          },
        });
      next();
      return id;
    },
    /** @param {number} id */
    clearInterval(id) {
      time.timers.delete(id);
    },
    /** @param {Parameters<typeof fetch>} given */
    async fetch(...given) {
      time.underWay++;
      try {
        const response = await realFetch(...given);
        // Its body is still loading as well.
        await response.clone().arrayBuffer();
        return response;
      } finally {
        time.underWay--;
      }
    },
  };
  Object.assign(window, own);

  function runDue() {
    const due = [...time.timers].filter(([, { atMs }]) => atMs <= time.monotonicMs);
    due.sort(([, a], [, b]) => a.atMs - b.atMs);
    for (const [id, { run, of }] of due) {
      if (!time.timers.delete(id) || of.closed) continue;
      try {
        run();
      } catch (error) {
        console.error(error);
      }
    }
  }
  if (top !== window) return;

  /** @param {number} ms @returns {Promise<void>} */
  const rest = (ms) => new Promise((done) => void realTimeout(done, ms));
  /** @returns {HTMLIFrameElement[]} */
  const frames = () => [...document.querySelectorAll("iframe")];
  const isAlive = () =>
    Reflect.has(window, "plumblineWall") || Reflect.has(window, "plumblinePair");
  let startLeftMs = 5000;
  const isComing = () => frames().some(({ style }) => style.opacity === "0");

  /**
   * Time advances at once, except for its last second: timers due meanwhile run once and get their
   * responses, and the second after that renders them.
   * @param {{ monotonicMs: number, wallMs: number, trueMs: number }} passed
   * @param {number} patienceMs maximum wait for a response, in real time
   */
  async function pass({ monotonicMs, wallMs, trueMs }, patienceMs) {
    // A newly loaded page starts in real time.
    for (; startLeftMs > 0 && !isAlive(); startLeftMs -= 20) await rest(20);
    await jump({ monotonicMs, wallMs, trueMs }, patienceMs);
    await jump({ monotonicMs: 1000, wallMs: 1000, trueMs: 1000 }, patienceMs);
  }

  /**
   * @param {Parameters<typeof pass>[0]} passed
   * @param {number} patienceMs
   */
  async function jump(passed, patienceMs) {
    time.monotonicMs += passed.monotonicMs;
    time.wallMs += passed.wallMs;
    time.trueMs += passed.trueMs;
    try {
      const { wallMs, trueMs } = time;
      sessionStorage.setItem(KEPT, JSON.stringify({ wallMs, trueMs }));
    } catch {
      // As above.
    }
    for (const [id, { of }] of time.timers) if (of.closed) time.timers.delete(id);
    runDue();
    await rest(0);
    for (let left = patienceMs; left > 0 && time.underWay > 0; left -= 2) await rest(2);
    // A new page loads and paints in real time before simulated time advances.
    for (let left = patienceMs; left > 0 && isComing(); left -= 20) {
      time.monotonicMs += 20;
      time.wallMs += 20;
      time.trueMs += 20;
      runDue();
      await rest(20);
    }
  }

  function see() {
    const shown = frames().findLast(({ style }) => style.opacity === "1");
    const seen = shown?.contentDocument ?? document;
    const picture = seen.querySelector("[data-wall-state]");
    /** @param {Document | null} page */
    const count = (page) => page?.getElementsByTagName("*").length ?? 0;
    return {
      trueMs: time.trueMs,
      path: window.location.pathname,
      state: seen.body.hidden ? null : (picture?.getAttribute("data-wall-state") ?? null),
      words: (seen.querySelector("h1") ?? seen.body).textContent?.slice(0, 200) ?? "",
      isBeating: picture !== null && picture.querySelector(".is-still") === null,
      frames: frames().length,
      elements: frames().reduce((sum, one) => sum + count(one.contentDocument), count(document)),
      timers: time.timers.size,
    };
  }
  Reflect.set(window, "testTime", { pass, see });
})();
