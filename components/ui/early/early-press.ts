import { callEarlyScript } from "./call-early-script";

const TAKE = "takeEarlyPress";

/** After this time an earlier press is discarded. */
const MAX_WAIT_MS = 10_000;

/**
 * Records which button with a popup was pressed last, so that a press before hydration isn't lost. Sent as source text:
 * refers to nothing outside its body.
 */
function recordEarlyPress(take: string, maxWaitMs: number): void {
  let pressed: Element | null = null;
  let atMs = 0;
  document.addEventListener(
    "click",
    (event) => {
      pressed = (event.target as Element).closest("button[aria-haspopup]");
      atMs = Date.now();
    },
    true,
  );
  Reflect.set(window, take, (button: Element) => {
    if (pressed !== button) return false;
    pressed = null;
    return Date.now() - atMs <= maxWaitMs;
  });
}

/** The source of the script that records an early press. */
export const EARLY_PRESS_SCRIPT = `(${recordEarlyPress.toString()})(${JSON.stringify(TAKE)},${MAX_WAIT_MS})`;

/** Whether the button was the last to be pressed, and before this call; true at most once per press. */
export function takeEarlyPress(button: Element | null): boolean {
  return button !== null && callEarlyScript(TAKE, button) === true;
}
