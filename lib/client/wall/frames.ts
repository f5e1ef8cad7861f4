import type { BrowserTime } from "@/lib/client/clock";

/**
 * How a wall reloads without ever showing an error page: the document opened by the television remains, and newer pages
 * are loaded above it in a frame that is shown only once it reports its first paint. The top document may be months
 * older than the page in its frame, so these two messages must never change.
 */
type Word =
  /** Frame to top: the picture is painted, with data that this page requested from the server. */
  | "painted"
  /** Frame to top: load a newer page in my place. */
  | "replace";

const FRAME_MARK = "data-wall-frame";
/** Old televisions are slow; a page that takes longer than this is dropped. */
export const PAINT_LIMIT_MS = 120_000;

/** Whether this page was loaded in a frame by another page of ours, not embedded by a foreign one. */
export function isWallFrame(): boolean {
  try {
    return window.frameElement?.hasAttribute(FRAME_MARK) ?? false;
  } catch {
    return false;
  }
}

/** The window opened by the television, which is the one to navigate. */
export const topOfWall = (): Window => (isWallFrame() ? window.parent : window);

/** Sends a message to the page below this one. */
export function notifyTop(word: Word): void {
  window.parent.postMessage({ wall: word }, window.location.origin);
}

export type WallFrames = {
  /** Loads this address again above the picture; does nothing while one is loading. */
  replace(): void;
  stop(): void;
};

/**
 * The top document's part.
 * @param onReplaced called when the top document's own picture is permanently covered: remove it
 */
export function startWallFrames(
  world: { window: Window; time: Pick<BrowserTime, "setTimer"> },
  onReplaced: () => void,
): WallFrames {
  const { window: top, time } = world;
  let shown: HTMLIFrameElement | null = null;
  let coming: HTMLIFrameElement | null = null;
  let stopTimer = () => {};

  const drop = () => {
    stopTimer();
    coming?.remove();
    coming = null;
  };
  const replace = () => {
    if (coming !== null) return;
    // It is this very page: a sandbox would only take its cookies away.
    // oxlint-disable-next-line react/iframe-missing-sandbox
    const frame = top.document.createElement("iframe");
    frame.setAttribute(FRAME_MARK, "");
    frame.title = "Wall";
    // Laid out and painted but invisible: a hidden frame would never report a paint.
    Object.assign(frame.style, {
      position: "fixed",
      inset: "0",
      width: "100%",
      height: "100%",
      border: "0",
      opacity: "0",
      zIndex: "1",
    });
    frame.src = top.location.href;
    coming = frame;
    top.document.body.append(frame);
    stopTimer = time.setTimer(drop, PAINT_LIMIT_MS);
  };
  const show = (frame: HTMLIFrameElement) => {
    stopTimer();
    frame.style.opacity = "1";
    const before = shown;
    shown = frame;
    coming = null;
    before?.remove();
    if (before === null) onReplaced();
  };
  const listen = ({ origin, source, data }: MessageEvent<unknown>) => {
    if (origin !== top.location.origin || source === null) return;
    const word = wordOf(data);
    if (word === "painted" && coming !== null && source === coming.contentWindow) show(coming);
    if (word === "replace" && source === shown?.contentWindow) replace();
  };
  top.addEventListener("message", listen);
  return {
    replace,
    stop() {
      drop();
      top.removeEventListener("message", listen);
    },
  };
}

function wordOf(data: unknown): unknown {
  return typeof data === "object" && data !== null && "wall" in data ? data.wall : null;
}
