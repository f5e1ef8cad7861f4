import { expect, test } from "vitest";
import { newRecoveryCodes, recoveryCodeId } from "./recovery-codes";

test("generates ten different codes that are easy to copy by hand", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^(?:[2-9b-z]{4}-){3}[2-9b-z]{4}$/);
});

test("identifies a code however it is typed, for one person only", () => {
  const id = recoveryCodeId("1", "7k2p-xw9d-4tqz-hc6m");
  expect(id).toMatch(/^[0-9a-f]{64}$/);
  expect(recoveryCodeId("1", " 7K2P XW9D-4tqzhc6m")).toBe(id);
  expect(recoveryCodeId("2", "7k2p-xw9d-4tqz-hc6m")).not.toBe(id);
});
