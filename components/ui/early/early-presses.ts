import { callEarlyScript } from "./call-early-script";

const TAKE = "takeEarlyPresses";
/** On what was pressed, until the press is carried out. Styled in shell.css. */
const WAITING = "data-early";
/** On buttons that act at once, without a dialog: what they act on, and its state. */
const ACT = "data-act";
/** Further ones are ignored. */
const MOST = 20;

/** What was pressed, and what it would have acted on then; null: it doesn't act. */
type EarlyPress = [pressed: HTMLElement, act: string | null];

/**
 * Records presses until the page is hydrated, so that none is lost. Links, fields and what opens without a script are
 * left to the browser. Sent as source text: refers to nothing outside its body.
 */
function recordEarlyPresses(take: string, waiting: string, act: string, most: number): void {
  const presses: [Element, string | null][] = [];
  function hear(event: MouseEvent): void {
    const pressed = (event.target as Element).closest(
      "a[href],summary,label,select,textarea,input,button,[role=row]",
    );
    if (
      pressed === null ||
      !pressed.matches("button,[role=row],[type=checkbox],[type=radio]") ||
      event.button + Number(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) > 0
    )
      return;
    event.preventDefault();
    if (presses.length < most) presses.push([pressed, pressed.getAttribute(act)]);
    pressed.setAttribute(waiting, "");
    pressed.setAttribute("aria-busy", "true");
  }
  document.addEventListener("click", hear, true);
  Reflect.set(window, take, () => {
    document.removeEventListener("click", hear, true);
    for (const [pressed] of presses) {
      pressed.removeAttribute(waiting);
      pressed.removeAttribute("aria-busy");
    }
    return presses;
  });
}

/** The source of the script that records early presses. */
export const EARLY_PRESSES_SCRIPT = `(${recordEarlyPresses.toString()})(${JSON.stringify(TAKE)},${JSON.stringify(WAITING)},${JSON.stringify(ACT)},${MOST})`;

/**
 * Carries out the presses recorded so far, in order; from then on the page handles its own.
 * @returns whether one was dropped: what it was meant for is gone, disabled or has changed
 */
export function carryOutEarlyPresses(): boolean {
  const presses = callEarlyScript(TAKE);
  let hasDropped = false;
  for (const [pressed, act] of Array.isArray(presses) ? (presses as EarlyPress[]) : []) {
    const there = pressed.isConnected ? pressed : sameThing(pressed);
    if (there === null || there.getAttribute(ACT) !== act || there.matches(":disabled"))
      hasDropped = true;
    else there.click();
  }
  return hasDropped;
}

/** What stands on the page instead of an element that was drawn again; null: nothing, or it isn't certain. */
function sameThing(gone: HTMLElement): HTMLElement | null {
  const nameOf = (element: Element) => element.getAttribute("aria-label") ?? element.textContent;
  const named = [...document.querySelectorAll<HTMLElement>(gone.tagName)].filter(
    (element) => element.id === gone.id && nameOf(element) === nameOf(gone),
  );
  return named.length === 1 ? (named[0] ?? null) : null;
}
