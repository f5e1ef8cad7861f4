import { callEarlyScript } from "./call-early-script";

const TAKE = "takeEarlyPresses";
/** On what was pressed, until the press is carried out. Styled in shell.css. */
const WAITING = "data-early";
/** On buttons that act: what they act on, and its state. */
const ACT = "data-act";
/** On lines of lists: their key. */
const LINE = "data-line";
/** On a row's link that a press on the row follows. */
const OPENS = "data-opens";
/** Further ones are ignored. */
const MAX_PRESSES = 20;

/** What was pressed, and what it stood for then; null: always the same. */
type EarlyPress = [pressed: HTMLElement, thing: string | null];

/**
 * Records presses until the page is hydrated, so that none is lost. Links, fields and what opens without a script are
 * left to the browser, and so is a row with a link that opens it: hydrating first takes longer than loading the other
 * page. Sent as source text: refers to nothing outside its body.
 */
function recordEarlyPresses(
  take: string,
  waiting: string,
  act: string,
  line: string,
  opens: string,
  most: number,
): void {
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
    const link = pressed.querySelector<HTMLElement>(`[${opens}]`);
    if (link !== null) {
      // Selecting text to copy it must not navigate.
      if (getSelection()?.isCollapsed !== false) link.click();
      return;
    }
    event.preventDefault();
    if (presses.length < most) {
      const around = pressed.closest(`[${line}]`);
      presses.push([pressed, pressed.getAttribute(act) ?? around?.getAttribute(line) ?? null]);
    }
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
export const EARLY_PRESSES_SCRIPT = `(${recordEarlyPresses.toString()})(${JSON.stringify(TAKE)},${JSON.stringify(WAITING)},${JSON.stringify(ACT)},${JSON.stringify(LINE)},${JSON.stringify(OPENS)},${MAX_PRESSES})`;

/**
 * Carries out the presses recorded so far, in order; from then on the page handles its own.
 * @returns whether one was dropped: what it was meant for is gone, disabled or has changed
 */
export function carryOutEarlyPresses(): boolean {
  const presses = callEarlyScript(TAKE);
  let hasDropped = false;
  for (const [pressed, thing] of Array.isArray(presses) ? (presses as EarlyPress[]) : []) {
    const there = pressed.isConnected ? pressed : drawnAgain(pressed);
    if (there === null || thingOf(there) !== thing || there.matches(":disabled")) hasDropped = true;
    else there.click();
  }
  return hasDropped;
}

/** Whether a press on such an element waits for hydration. @param selector of what was pressed */
export const hasEarlyPress = (selector: string): boolean =>
  typeof document !== "undefined" && document.querySelector(`${selector}[${WAITING}]`) !== null;

/** Same as in the script. */
const thingOf = (element: HTMLElement) =>
  element.getAttribute(ACT) ?? element.closest(`[${LINE}]`)?.getAttribute(LINE) ?? null;

/** What stands on the page instead of an element; null: nothing, or it isn't certain. */
function drawnAgain(gone: HTMLElement): HTMLElement | null {
  const nameOf = (element: Element) => element.getAttribute("aria-label") ?? element.textContent;
  const named = [...document.querySelectorAll<HTMLElement>(gone.tagName)].filter(
    (element) => element.id === gone.id && nameOf(element) === nameOf(gone),
  );
  return named.length === 1 ? (named[0] ?? null) : null;
}
