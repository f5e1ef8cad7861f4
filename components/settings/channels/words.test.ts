import { expect, test } from "vitest";
import { removeDialog } from "./words";

const A = { name: "A", isElsewhere: true };
const B = { name: "B", isElsewhere: false };

test.each([
  [", and rules stop sending to it.", null],
  [". No rule sends to it.", []],
  [". The rule “A” stops sending to it, but still sends elsewhere.", [A]],
  [". The rule “B” stops sending to it, and then sends nowhere.", [B]],
  [". The rules “A” and “B” stop sending to it; “B” then sends nowhere.", [A, B]],
])("names the rules that send to a removed channel%s", (text, rules) => {
  const { children } = removeDialog("Ops", rules);
  expect(children.replaceAll(/[\u2068\u2069]/g, "")).toBe(
    `Messages waiting for it won’t be sent${text}`,
  );
});
