// The page of a share link, while it is open: counts the view, refreshes the page, ages it while no response arrives, and
// clears it within seconds of the link's end. The token is in the page's own path and goes nowhere else.
(() => {
  const EVERY_MS = 30_000;
  const TIMEOUT_MS = 10_000;
  /** A link's end reaches every instance within three seconds, and must show within five. */
  const STILL_OPEN_EVERY_MS = 1_500;
  const STILL_OPEN_TIMEOUT_MS = 3_000;
  /** Without a response for this long, although several were requested, the reader's connection is lost. */
  const SILENT_MS = 10_000;
  /** If the two clocks differ by more, the machine slept or one of them was changed. */
  const DRIFT_MS = 5_000;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  /** When the shown state was requested, on both clocks: one may stop while the machine sleeps, one may jump. */
  let shown = { steadyMs: performance.now(), wallMs: Date.now() };
  /** When the last response arrived, likewise. */
  let answered = shown;
  let isAsking = false;
  let isChecking = false;

  /** Marks the shown state as delayed or blind by its age, if that is sure; never younger than the server said. */
  function age() {
    const main = document.querySelector("main");
    if (main === null || main.dataset.blindIn === undefined) return;
    const { ms, isSure } = since(shown);
    if (ms > Number(main.dataset.blindIn)) main.className = "is-blind";
    else if ((ms > Number(main.dataset.delayedIn) || !isSure) && main.className === "is-live") {
      main.className = "is-delayed";
    }
    const isLost = main.className !== "is-live" && since(answered).ms > SILENT_MS;
    if (isLost) sayLost(main, ms);
    main.toggleAttribute("data-lost", isLost);
  }

  /**
   * How long ago an instant was, at most, and whether both clocks say so.
   * @param {{ steadyMs: number, wallMs: number }} instant
   */
  function since(instant) {
    const [steadyMs, wallMs] = [performance.now() - instant.steadyMs, Date.now() - instant.wallMs];
    return {
      ms: Math.max(steadyMs, wallMs),
      isSure: Math.abs(steadyMs - wallMs) <= DRIFT_MS,
    };
  }

  /**
   * Says when the connection was lost, and how old the shown state is.
   * @param {HTMLElement} main
   * @param {number} ms since it was requested
   */
  function sayLost(main, ms) {
    const banner = main.querySelector(".banner.if-lost");
    if (!(banner instanceof HTMLElement)) return;
    const at = new Date(answered.wallMs);
    const day =
      at.toDateString() === new Date().toDateString() ? "" : `${at.toDateString().slice(0, 3)} `;
    const text = (banner.dataset.text ?? "")
      .replace("{at}", day + at.toTimeString().slice(0, 5))
      .replace("{age}", duration(Number(banner.dataset.age) + ms));
    if (banner.textContent !== text) banner.textContent = text;
  }

  /**
   * As `duration` of the server: "41 s", "9 m", "1 h 06 m", "3 d 4 h".
   * @param {number} ms
   */
  function duration(ms) {
    const minutes = Math.floor(ms / 60_000);
    const hours = Math.floor(minutes / 60);
    if (minutes < 1) return `${Math.floor(ms / 1_000)} s`;
    if (hours < 1) return `${minutes} m`;
    if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, "0")} m`;
    return `${Math.floor(hours / 24)} d ${hours % 24} h`;
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
      if (!(await isOurs(answer))) return;
      answered = { steadyMs: performance.now(), wallMs: Date.now() };
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

  /**
   * Whether Plumbline responded, and not a proxy in its place, whose 404 says nothing about the link.
   * @param {Response} answer
   */
  async function isOurs(answer) {
    return answer.ok || answer.status === 304 || (await answer.text()).includes("Plumbline");
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
