import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { resource } from "./resource";

const pets = resource("pets", ["owners"]);

test("an address names one of them, or something of it", () => {
  expect(pets.pathOf("a/b")).toBe("/pets/a%2Fb");
  expect(pets.pathOf("7", "walks")).toBe("/pets/7/walks");
});

test.each([
  ["done", () => Promise.resolve({ value: 7, dateMs: null })],
  ["refused", () => Promise.reject(new Error("no"))],
])(
  "every list that shows something of it is read again after a change, be it %s",
  async (_, send) => {
    const client = new QueryClient();
    const keys = [["pets", "/pets?page=1"], ["owners"], ["others"]];
    for (const key of keys) client.setQueryData(key, []);
    const changed = await pets.changed(client, send()).catch(() => "thrown");
    expect(changed).toBe(_ === "done" ? 7 : "thrown");
    expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([
      true,
      true,
      false,
    ]);
  },
);
