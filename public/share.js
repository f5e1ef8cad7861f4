// The page of a share link, while it is open: counts the view, refreshes the page, ages it while no response arrives, and
// clears it within seconds of the link's end. The token is in the page's own path and goes nowhere else.
(() => {
  const EVERY_MS = 30_000;
  const TIMEOUT_MS = 10_000;
  /** A link's end reaches every instance within three seconds, and must show within five. */
  const STILL_OPEN_EVERY_MS = 1_500;
  const STILL_OPEN_TIMEOUT_MS = 3_000;
  /** If the two clocks differ by more, the machine slept or one of them was changed. */
  const DRIFT_MS = 5_000;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  /** When the shown state was requested, on both clocks: one may stop while the machine sleeps, one may jump. */
  let shown = { steadyMs: performance.now(), wallMs: Date.now() };
  let isAsking = false;
  let isChecking = false;

  /** Marks the shown state as delayed or blind by its age, if that is sure; never younger than the server said. */
  function age() {
    const main = document.querySelector("main");
    if (main === null || main.dataset.blindIn === undefined) return;
    const [steadyMs, wallMs] = [performance.now() - shown.steadyMs, Date.now() - shown.wallMs];
    const ms = Math.max(steadyMs, wallMs);
    const isSure = Math.abs(steadyMs - wallMs) <= DRIFT_MS;
    if (ms > Number(main.dataset.blindIn)) main.className = "is-blind";
    else if ((ms > Number(main.dataset.delayedIn) || !isSure) && main.className === "is-live") {
      main.className = "is-delayed";
    }
  }

  /**
   * Requests the page; if the link has ended, clears the screen at once.
   * @param {Record<string, string>} headers
   * @param {number} timeoutMs
   * @param {(answer: Response) => void | Promise<void>} take called with every other response
   */
  async function get(headers, timeoutMs, take) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeoutMs);
    try {
      const answer = await fetch(location.pathname, {
        headers,
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
        referrerPolicy: "no-referrer",
        signal: abort.signal,
      });
      if (answer.status === 410 || answer.status === 404) {
        document.body.textContent = "";
        location.reload();
        return;
      }
      await take(answer);
    } catch {
      // The next request may succeed; until then the page ages.
    } finally {
      clearTimeout(timer);
    }
  }

  async function ask() {
    if (isAsking || document.visibilityState !== "visible") return;
    isAsking = true;
    const asked = { steadyMs: performance.now(), wallMs: Date.now() };
    await get({ "x-time-zone": zone }, TIMEOUT_MS, async (answer) => {
      if (answer.ok) show(await answer.text(), asked);
    });
    isAsking = false;
    age();
  }

  /** Whether the link is still open: the response is an empty 304. */
  async function check() {
    if (isChecking || document.visibilityState !== "visible") return;
    isChecking = true;
    await get({ "if-none-match": '"open"' }, STILL_OPEN_TIMEOUT_MS, () => {});
    isChecking = false;
  }

  /**
   * @param {string} text the page's current HTML
   * @param {{ steadyMs: number, wallMs: number }} asked
   */
  function show(text, asked) {
    const next = new DOMParser().parseFromString(text, "text/html");
    for (const part of ["main", ".top"]) {
      const [from, to] = [next.querySelector(part), document.querySelector(part)];
      if (from === null || to === null) return;
      to.replaceWith(document.adoptNode(from));
    }
    shown = asked;
  }

  /** Counts a view once the page is visible and rendered: prefetching isn't a view. */
  function count() {
    if (document.visibilityState !== "visible") {
      document.addEventListener("visibilitychange", count, { once: true });
      return;
    }
    requestAnimationFrame(() =>
      setTimeout(() => {
        void fetch(location.pathname, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
          credentials: "omit",
          referrerPolicy: "no-referrer",
        }).catch(() => {});
      }, 0),
    );
  }

  count();
  // The first render is in UTC.
  if (zone !== "UTC") void ask();
  setInterval(age, 1_000);
  setInterval(() => void ask(), EVERY_MS);
  setInterval(() => void check(), STILL_OPEN_EVERY_MS);
  for (const event of ["visibilitychange", "pageshow", "online"]) {
    addEventListener(event, () => {
      age();
      void check();
      void ask();
    });
  }
})();
