import { expect, test } from "vitest";
import { createKeptTexts } from "./kept-texts";

const storage = () => {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
    removeItem: (name: string) => void items.delete(name),
    size: () => items.size,
  };
};

test("keeps a text until it is emptied, also when the page is loaded again", () => {
  const tab = storage();
  const first = createKeptTexts(() => tab);
  first.write("note of 1", "called");
  expect(createKeptTexts(() => tab).read("note of 1")).toBe("called");
  expect(createKeptTexts(() => tab).read("note of 2")).toBe("");
  first.write("note of 1", "");
  expect(first.read("note of 1")).toBe("");
  expect(tab.size()).toBe(0);
});

test("keeps a text for as long as the page is loaded where nothing can be stored", () => {
  const texts = createKeptTexts(() => {
    throw new DOMException("denied", "SecurityError");
  });
  let heard = 0;
  const stop = texts.listen(() => (heard += 1));
  texts.write("note", "called");
  stop();
  texts.write("note", "called again");
  expect([texts.read("note"), heard]).toEqual(["called again", 1]);
});
