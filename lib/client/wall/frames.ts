import type { BrowserTime } from "@/lib/client/clock";

/**
 * How a wall reloads itself without ever showing an error page: the document that the television opened
 * stays, and newer pages are laid over it in a frame that is shown only once it has said that it painted.
 * The top document may be months older than the page in its frame, so these two words never change.
 */
type Word =
  /** Frame to top: the picture is painted, from the server, by this page's own asking. */
  | "painted"
  /** Frame to top: a newer page should take my place. */
  | "replace";

const FRAME_MARK = "data-wall-frame";
/** An old television takes its time; a page that takes longer than this is dropped. */
export const PAINT_LIMIT_MS = 120_000;

/** Whether this page was laid over another one of ours (and not merely embedded by somebody else). */
export function isWallFrame(): boolean {
  try {
    return window.frameElement?.hasAttribute(FRAME_MARK) ?? false;
  } catch {
    return false;
  }
}

/** The window that the television opened: the one that may be sent elsewhere. */
export const topOfWall = (): Window => (isWallFrame() ? window.parent : window);

/** Says a word to the page that this one is laid over. */
export function tellTop(word: Word): void {
  window.parent.postMessage({ wall: word }, window.location.origin);
}

export type WallFrames = {
  /** Loads this address again above the picture; does nothing while one is being loaded. */
  replace(): void;
  stop(): void;
};

/**
 * The top document's part.
 * @param onReplaced the top document's own picture is covered for good: take it down
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
    // Laid out and painted, but not to be seen: a hidden frame would never report a paint.
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
