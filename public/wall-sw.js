/// <reference lib="webworker" />
// Keeps the last page of one wall, so that a television that starts without network shows its last picture
// (marked as old by the page itself) instead of the browser's error page. Everything comes from the network
// whenever that answers: an old build is never preferred to a new one. Registered by walls only, one
// registration for each wall's address; the answers themselves are kept by the page (wall-storage.ts).
(() => {
  const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
  const PAGE_CACHE = "wall-page";
  /** A server that has not answered a navigation by now is treated as gone. */
  const NAVIGATION_LIMIT_MS = 10_000;

  const own = new URL(worker.registration.scope);
  /** The page's scripts, styles and fonts, as its HTML names them. */
  const ASSETS = /\/(?:_next\/static\/|wall[\w-]*\.css)[^"'\\\s<>)]*/g;
  /** @param {string} pathname */
  const isAsset = (pathname) => /^\/(?:_next\/static\/|wall[\w-]*\.css)/.test(pathname);

  worker.addEventListener("install", (event) => {
    // The page that registers us was loaded without us.
    const first = fetch(own.pathname, { cache: "no-store" }).then(keep);
    event.waitUntil(first.catch(() => {}).then(() => worker.skipWaiting()));
  });
  worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== own.origin) return;
    if (request.mode === "navigate" && pathname === own.pathname) {
      const answer = navigate(request);
      event.respondWith(answer.then(({ response }) => response));
      event.waitUntil(answer.then(({ fresh }) => (fresh === null ? undefined : keep(fresh))));
    } else if (isAsset(pathname)) {
      event.respondWith(asset(request));
    }
  });

  /**
   * @param {Request} request
   * @returns {Promise<{ response: Response, fresh: Response | null }>} `fresh`: a copy of what the server gave
   */
  async function navigate(request) {
    /** @type {Promise<null>} */
    const limit = new Promise((resolve) => {
      setTimeout(() => resolve(null), NAVIGATION_LIMIT_MS);
    });
    const response = await Promise.race([fetch(request).catch(() => null), limit]);
    if (response !== null && response.status < 500) return { response, fresh: response.clone() };
    const kept = await stored(request);
    return { response: kept ?? response ?? Response.error(), fresh: null };
  }

  /**
   * Keeps a page with everything that it names, when it is a display's: a person's is nobody's to keep.
   * @param {Response} page
   */
  async function keep(page) {
    const isPage = page.ok && page.headers.get("content-type")?.startsWith("text/html");
    if (!isPage || page.redirected) return;
    const html = await page.clone().text();
    if (!html.includes("data-wall-display")) return;
    const cache = await caches.open(PAGE_CACHE);
    for (const path of new Set(html.match(ASSETS) ?? [])) {
      // The content of a build's file never changes under its name.
      const isKept = path.startsWith("/_next/") && (await cache.match(path)) !== undefined;
      if (!isKept) await cache.add(path).catch(() => {});
    }
    await cache.put(own.pathname, page);
    await prune(cache);
  }

  /**
   * Other walls of this screen keep their pages here too: what none of them names goes.
   * @param {Cache} cache
   */
  async function prune(cache) {
    const keys = await cache.keys();
    /** @type {Set<string>} */
    const named = new Set();
    for (const { url } of keys) {
      const { pathname } = new URL(url);
      if (isAsset(pathname)) continue;
      named.add(pathname);
      const html = await (await cache.match(url))?.text();
      for (const path of html?.match(ASSETS) ?? []) named.add(new URL(path, own).pathname);
    }
    for (const { url } of keys) {
      if (!named.has(new URL(url).pathname)) await cache.delete(url);
    }
  }

  /** @param {Request} request */
  async function asset(request) {
    const cache = await caches.open(PAGE_CACHE);
    const kept = () => cache.match(request, { ignoreSearch: true });
    if (new URL(request.url).pathname.startsWith("/_next/"))
      return (await kept()) ?? fetch(request);
    try {
      return await fetch(request);
    } catch {
      return (await kept()) ?? Response.error();
    }
  }

  /**
   * The page as it was kept, hidden and marked: its picture is to be shown only after it says that it is old.
   * Never inside a frame, where a page waits to take the place of one that is still good.
   * @param {Request} request
   */
  async function stored(request) {
    if (request.destination === "iframe") return null;
    const page = await (await caches.open(PAGE_CACHE)).match(own.pathname);
    if (page === undefined) return null;
    const html = (await page.text())
      .replace("<html", "<html data-wall-stored")
      .replace("<body", "<body hidden");
    const headers = new Headers(page.headers);
    headers.delete("content-encoding");
    headers.delete("content-length");
    return new Response(html, { headers });
  }
})();
