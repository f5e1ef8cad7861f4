import { afterAll, expect, test } from "vitest";
import type { Weakness } from "@/lib/contracts/people";
import { createPasswordMeter } from "./password-meter";
import { weaknessOf } from "./password-strength";

const meter = createPasswordMeter();
afterAll(() => meter.stop());

const OWN = ["Ana Rask", "Ana Martins", "José Müller", "ana.rask@northgate.example", "Plumbline"];

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
  // Own words in any case and order, joined, and padded with a year and symbols.
  ["AnaMartins2026!", "own-words"],
  ["anamartins2026!", "own-words"],
  ["MARTINSANA1987!!", "own-words"],
  ["2026-Ana-Martins", "own-words"],
  ["An@M@rt1n$2026", "own-words"],
  ["Martins?Ana_2026", "own-words"],
  ["Plumbline123456", "own-words"],
  ["ana-banana-trombone", null],
  ["JoseMuller2026!", "own-words"],
  // Common words.
  ["Password2026!!", "common"],
  ["P@ssw0rd2026!!", "common"],
  ["Welcome2026!!!", "common"],
  ["Liverpool2026!!", "common"],
  ["Summer2026!!!!", "common"],
  ["!!2026Password", "common"],
  ["purple trombone lantern", null],
  ["Trombone-2026-lantern!", null],
  ["q7!9#2$4%6^8", null],
  ["correct horse battery staple", null],
  ["vk27-tqpz-9dhw", null],
  ["日本語のながいあいことばです", null],
])("rates %j: %s", async (password, weakness) => {
  expect(await weaknessOf(meter, password, OWN)).toBe(weakness);
});
