// The page of a share link, while it is open: counts that it was seen, asks for what is true now, empties within
// seconds of the link's end, and stops calling what it shows true once nobody has said so for too long. The token stands in the page's own path and goes nowhere else.
(() => {
  const EVERY_MS = 30_000;
  const TIMEOUT_MS = 10_000;
  /** A link's end is known everywhere within three seconds, and is to be seen within five. */
  const STILL_OPEN_EVERY_MS = 1_500;
  const STILL_OPEN_TIMEOUT_MS = 3_000;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  /** When what is shown was asked for, on both clocks: one may stand still while the machine sleeps, one may jump. */
  let shown = { steadyMs: performance.now(), wallMs: Date.now() };
  let isAsking = false;
  let isChecking = false;

  function ageMs() {
    return Math.max(performance.now() - shown.steadyMs, Date.now() - shown.wallMs);
  }

  /** Draws what is shown as old as it has become; never younger than the server said. */
  function age() {
    const main = document.querySelector("main");
    if (main === null || main.dataset.blindIn === undefined) return;
    const ms = ageMs();
    if (ms > Number(main.dataset.blindIn)) main.className = "is-blind";
    else if (ms > Number(main.dataset.delayedIn) && main.className === "is-live") {
      main.className = "is-delayed";
    }
  }

  /**
   * Empties the page where the link has ended: nothing of it stays on the screen.
   * @param {Record<string, string>} headers
   * @param {number} timeoutMs
   * @param {(answer: Response) => void | Promise<void>} take what else the answer is for
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
      // The next time may succeed; until then it ages.
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

  /** Whether the link is open still; the answer is 304 and nothing more. */
  async function check() {
    if (isChecking || document.visibilityState !== "visible") return;
    isChecking = true;
    await get({ "if-none-match": '"open"' }, STILL_OPEN_TIMEOUT_MS, () => {});
    isChecking = false;
  }

  /**
   * @param {string} text the page as it is now
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

  /** Once somebody can see it: what is loaded ahead, or by a machine, was not opened. */
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
  // What was drawn first is in UTC.
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
