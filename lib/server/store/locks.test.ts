import { expect, test } from "vitest";
import { V3_LOCKS } from "@/lib/v3-service/store/locks";
import { LOCKS } from "./locks";

test("gives every lock of a database a distinct number", () => {
  const numbers = [...Object.values(LOCKS), ...Object.values(V3_LOCKS)];
  expect(new Set(numbers).size).toBe(numbers.length);
});
