import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { resource } from "./resource";

const pets = resource("pets", ["owners"]);

test("builds addresses of items and of their parts", () => {
  expect(pets.pathOf("a/b")).toBe("/pets/a%2Fb");
  expect(pets.pathOf("7", "walks")).toBe("/pets/7/walks");
});

test.each([
  ["done", () => Promise.resolve({ value: 7, serverTime: null, header: () => null })],
  ["refused", () => Promise.reject(new Error("no"))],
])("reloads every dependent list after a change that is %s", async (outcome, send) => {
  const client = new QueryClient();
  const keys = [["pets", "/pets?page=1"], ["owners"], ["others"]];
  for (const key of keys) client.setQueryData(key, []);
  const changed = await pets.changed(client, send()).catch(() => "thrown");
  expect(changed).toBe(outcome === "done" ? 7 : "thrown");
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, false]);
});
