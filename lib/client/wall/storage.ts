import { isRecord, isSyncStatusView } from "@/lib/client/snapshot";
import type { WallFirst } from "./state";

/**
 * Data that a paired screen stores for a start without network: the last page (by the service worker) and the last
 * responses. Only if the browser allows a service worker, i.e. over https, and only for displays.
 */

/** These names are also used by the service worker: public/wall-sw.js. */
const PAGE_CACHE = "wall-page";
/** Displays have one of this name. */
const DATA_CACHE = "wall-heard";
const WORKER = "/wall-sw.js";
/** The service worker marks pages from its storage. */
const STORED_MARK = "data-wall-stored";
const KEEP_EVERY_MS = 60_000;

/** Whether this document came from the service worker's storage instead of the server. */
export const isStoredPage = (): boolean => document.documentElement.hasAttribute(STORED_MARK);

/** A stored page is hidden until its picture shows its age, which it does by now. */
export function showStoredPage(): void {
  document.documentElement.removeAttribute(STORED_MARK);
  document.body.hidden = false;
}

/** Stores the page of this address from now on, renewed at every load. */
export async function keepPage(): Promise<void> {
  if (!canKeep()) return;
  await navigator.serviceWorker.register(WORKER, {
    scope: window.location.pathname,
    updateViaCache: "none",
  });
}

/** Stores received data, at most once a minute; a full disk is ignored. */
export function createKeeper(monotonicMs: () => number): (data: WallFirst) => void {
  let keptMs = Number.NEGATIVE_INFINITY;
  return (data) => {
    const nowMs = monotonicMs();
    if (!canKeep() || nowMs - keptMs < KEEP_EVERY_MS) return;
    keptMs = nowMs;
    void put(data).catch(() => {});
  };
}

/** The last stored responses for this address; null: none, or unreadable. */
export async function readStored(): Promise<WallFirst | null> {
  if (!canKeep()) return null;
  try {
    const kept = await (await caches.open(DATA_CACHE)).match(window.location.pathname);
    const data: unknown = await kept?.json();
    return isWallFirst(data) ? data : null;
  } catch {
    return null;
  }
}

/** Deletes everything stored: a screen without access, or a person's browser, must not keep it. */
export async function forgetAll(): Promise<void> {
  if (!canKeep()) return;
  await Promise.all([caches.delete(PAGE_CACHE), caches.delete(DATA_CACHE)]);
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(
    workers
      .filter(({ active }) => active?.scriptURL === new URL(WORKER, window.location.origin).href)
      .map((worker) => worker.unregister()),
  );
}

const canKeep = (): boolean => "serviceWorker" in navigator && "caches" in window;

async function put(data: WallFirst): Promise<void> {
  const cache = await caches.open(DATA_CACHE);
  await cache.put(
    window.location.pathname,
    new Response(JSON.stringify(data), { headers: { "Content-Type": "application/json" } }),
  );
}

function isWallFirst(body: unknown): body is WallFirst {
  return (
    isRecord(body) &&
    typeof body["atMs"] === "number" &&
    isRecord(body["wall"]) &&
    Array.isArray(body["companies"]) &&
    body["companies"].every(
      (company) =>
        isRecord(company) && (company["view"] === null || isSyncStatusView(company["view"])),
    )
  );
}
