import { expect, test } from "vitest";
import { isRouterState } from "./router-state.mjs";

test.each([
  undefined,
  '["",{}]',
  '["",{"children":["(pages)",{"children":[["company","northgate","d",null],{"children":["__PAGE__",{}]}]}]}]',
  '["",{"children":[["company","northgate","d",["api","signin"]],{},null,null,16]},null,"refetch",4,"x"]',
  '["",{},["/x","/y"],"metadata-only"]',
])("accepts %s, which the router writes", (state) => {
  expect(isRouterState(state)).toBe(true);
  if (state !== undefined) expect(isRouterState(encodeURIComponent(state))).toBe(true);
});

const deep = (levels: number): string =>
  levels === 0 ? '["",{}]' : `["",{"children":${deep(levels - 1)}}]`;

test.each([
  "",
  "%",
  "%7B",
  "{}",
  "[]",
  "null",
  '[""]',
  '["",[]]',
  '["",null]',
  '["",{"children":1}]',
  '[["company","x","evil",null],{}]',
  '[["company","x","d"],{}]',
  '["",{},["x"]]',
  '["",{},null,"evil"]',
  '["",{},null,null,"1"]',
  '["",{},null,null,null,1]',
  '["",{},null,null,null,"x","y"]',
  deep(100),
  "[".repeat(16_000),
])("refuses %s", (state) => expect(isRouterState(state)).toBe(false));
