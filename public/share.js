// The page of a share link, while it is open: counts that it was seen, asks for what is true now, and stops calling
// it true once nobody has said so for too long. The token stands in the page's own path and goes nowhere else.
(() => {
  const EVERY_MS = 30_000;
  const TIMEOUT_MS = 10_000;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  /** When what is shown was asked for, on both clocks: one may stand still while the machine sleeps, one may jump. */
  let shown = { steadyMs: performance.now(), wallMs: Date.now() };
  let isAsking = false;

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

  async function ask() {
    if (isAsking || document.visibilityState !== "visible") return;
    isAsking = true;
    const asked = { steadyMs: performance.now(), wallMs: Date.now() };
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);
    try {
      const answer = await fetch(location.pathname, {
        headers: { "x-time-zone": zone },
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
        referrerPolicy: "no-referrer",
        signal: abort.signal,
      });
      if (answer.status === 410 || answer.status === 404) {
        // It has ended: nothing of it stays on the screen.
        document.body.textContent = "";
        location.reload();
        return;
      }
      if (answer.ok) show(await answer.text(), asked);
    } catch {
      // The next time may succeed; until then it ages.
    } finally {
      clearTimeout(timer);
      isAsking = false;
      age();
    }
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
  for (const event of ["visibilitychange", "pageshow", "online"]) {
    addEventListener(event, () => {
      age();
      void ask();
    });
  }
})();
