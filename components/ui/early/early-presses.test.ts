import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EARLY_PRESSES_SCRIPT, carryOutEarlyPresses } from "./early-presses";

/** An element of a page, as far as the script needs it. */
function element(given: {
  selectors: string;
  act?: string;
  name?: string;
  line?: string;
  within?: object;
  link?: object;
}) {
  const attributes = new Map<string, string>();
  if (given.act !== undefined) attributes.set("data-act", given.act);
  if (given.line !== undefined) attributes.set("data-line", given.line);
  if (given.name !== undefined) attributes.set("aria-label", given.name);
  const one = {
    id: "",
    tagName: "BUTTON",
    textContent: "",
    isConnected: true,
    isDisabled: false,
    clicks: 0,
    closest: (selector: string) =>
      selector === "[data-line]"
        ? attributes.has("data-line")
          ? one
          : null
        : (given.within ?? one),
    querySelector: (selector: string) => (selector === "[data-opens]" ? given.link : null) ?? null,
    matches: (selector: string) =>
      selector === ":disabled" ? one.isDisabled : selector.split(",").includes(given.selectors),
    getAttribute: (name: string) => attributes.get(name) ?? null,
    setAttribute: (name: string, value: string) => void attributes.set(name, value),
    removeAttribute: (name: string) => void attributes.delete(name),
    click: () => void (one.clicks += 1),
    attributes,
  };
  return one;
}
type Fake = ReturnType<typeof element>;

const PLAIN = { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

let page: Fake[];
/** Whether no text is selected. */
let isCollapsed: boolean;
/** @returns whether the browser's default action still happens; null: no listener is left */
let press: (target: Fake, with_?: Partial<typeof PLAIN>) => boolean | null;

beforeEach(() => {
  page = [];
  isCollapsed = true;
  const window = {};
  let listener: ((event: object) => void) | null = null;
  const document = {
    addEventListener: (_: string, hear: (event: object) => void) => (listener = hear),
    removeEventListener: () => (listener = null),
    querySelectorAll: () => page,
  };
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", document);
  const getSelection = () => ({ isCollapsed });
  runInNewContext(EARLY_PRESSES_SCRIPT, { window, document, Reflect, Number, getSelection });
  press = (target, with_ = {}) => {
    if (listener === null) return null;
    let isNative = true;
    listener({ ...PLAIN, ...with_, target, preventDefault: () => (isNative = false) });
    return isNative;
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("carries out presses in order, and shows that they wait until then", () => {
  const filter = element({ selectors: "button" });
  expect(press(filter)).toBe(false);
  expect(press(filter)).toBe(false);
  expect([...filter.attributes.keys()]).toEqual(["data-early", "aria-busy"]);
  expect(carryOutEarlyPresses()).toBe(false);
  expect(filter.clicks).toBe(2);
  expect([...filter.attributes.keys()]).toEqual([]);
  expect(press(filter)).toBeNull();
});

test("finds the button or row around what was pressed", () => {
  const row = element({ selectors: "[role=row]" });
  expect(press(element({ selectors: "b", within: row }))).toBe(false);
  carryOutEarlyPresses();
  expect(row.clicks).toBe(1);
});

test("opens a row with a link at once, unless its text is being selected", () => {
  const link = element({ selectors: "a[href]" });
  const row = element({ selectors: "[role=row]", link });
  isCollapsed = false;
  press(row);
  expect(link.clicks).toBe(0);
  isCollapsed = true;
  press(row);
  expect(link.clicks).toBe(1);
  carryOutEarlyPresses();
  expect(row.clicks).toBe(0);
});

test("keeps the choice of a checkbox for later", () => {
  const box = element({ selectors: "[type=checkbox]" });
  expect(press(box)).toBe(false);
  carryOutEarlyPresses();
  expect(box.clicks).toBe(1);
});

test.each(["a[href]", "summary", "label", "select", "input", "textarea"])(
  "leaves %s to the browser",
  (selectors) => {
    const other = element({ selectors });
    expect(press(other)).toBe(true);
    carryOutEarlyPresses();
    expect(other.clicks).toBe(0);
  },
);

test.each([
  { ctrlKey: true },
  { metaKey: true },
  { shiftKey: true },
  { altKey: true },
  { button: 1 },
])("leaves a press with %o to the browser", (modified) => {
  expect(press(element({ selectors: "button" }), modified)).toBe(true);
});

test("drops an act whose subject has changed, is gone or is disabled, and says so", () => {
  const act = element({ selectors: "button", act: "northgate/1/late/" });
  press(act);
  act.setAttribute("data-act", "northgate/1/late/Ana Rask");
  expect(carryOutEarlyPresses()).toBe(true);
  expect(act.clicks).toBe(0);
});

test("drops a press on a row that now shows another line", () => {
  const row = element({ selectors: "[role=row]", line: "Procore/rfis" });
  press(row);
  row.setAttribute("data-line", "Aconex/mail");
  expect(carryOutEarlyPresses()).toBe(true);
  expect(row.clicks).toBe(0);
});

test("drops a press on what is gone, or is disabled meanwhile", () => {
  const gone = element({ selectors: "button", name: "Revoke: Procore" });
  press(gone);
  gone.isConnected = false;
  const disabled = element({ selectors: "button" });
  press(disabled);
  disabled.isDisabled = true;
  expect(carryOutEarlyPresses()).toBe(true);
  expect(gone.clicks + disabled.clicks).toBe(0);
});

test("presses what was drawn again under the same name, unless that is ambiguous", () => {
  const gone = element({ selectors: "button", name: "Group and fold" });
  const again = element({ selectors: "button", name: "Group and fold" });
  press(gone);
  gone.isConnected = false;
  page = [element({ selectors: "button", name: "Share" }), again];
  expect(carryOutEarlyPresses()).toBe(false);
  expect(again.clicks).toBe(1);
});

test("takes at most twenty presses", () => {
  const one = element({ selectors: "button" });
  for (let at = 0; at < 50; at += 1) press(one);
  carryOutEarlyPresses();
  expect(one.clicks).toBe(20);
});

test("has nothing to carry out where the script did not run", () => {
  vi.stubGlobal("window", {});
  expect(carryOutEarlyPresses()).toBe(false);
});
