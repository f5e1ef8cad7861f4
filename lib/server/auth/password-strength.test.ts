import { expect, test } from "vitest";
import type { Weakness } from "@/lib/contracts/people";
import { weaknessOf } from "./password-strength";

const OWN = ["Ana Rask", "ana.rask@northgate.example", "Plumbline"];

test.each<[string, Weakness | null]>([
  ["", "short"],
  ["q7!xz9#pLm2", "short"],
  ["x".repeat(201), "long"],
  ["passwordpassword", "repeated"],
  ["aaaaaaaaaaaaaaaa", "repeated"],
  ["123456789012", "common"],
  ["qwertyuiop[]", "row"],
  ["summermountain", "common"],
  ["ana.rask@northgate.example", "own-words"],
  ["NorthgateNorthgate", "own-words"],
  ["Plumbline2026!", "own-words"],
  ["R@sk-N0rthgate", "own-words"],
  ["correct horse battery staple", null],
  ["vk27-tqpz-9dhw", null],
  ["日本語のながいあいことばです", null],
])("%j: %s", async (password, weakness) => {
  expect(await weaknessOf(password, OWN)).toBe(weakness);
});
