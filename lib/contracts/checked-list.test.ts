import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkedList } from "./checked-list";

const Element = z.looseObject({ id: z.int(), name: z.string() });

/** Counts how many elements are checked. */
function counting() {
  let looks = 0;
  const counted = z.unknown().refine((value) => {
    looks += 1;
    return value !== "wrong";
  });
  return { counted, looks: () => looks };
}

describe("a checked list", () => {
  it("accepts and rejects the same input as a plain array", () => {
    const element = fc.oneof(
      { weight: 9, arbitrary: fc.record({ id: fc.integer(), name: fc.string() }) },
      { weight: 1, arbitrary: fc.anything() },
    );
    fc.assert(
      fc.property(fc.oneof(fc.array(element, { maxLength: 12 }), fc.anything()), (given) => {
        const expected = z.array(Element).min(1).max(8).safeParse(given);
        const parsed = checkedList(Element, { min: 1, max: 8 }).safeParse(given);
        expect(parsed.success).toBe(expected.success);
        expect(parsed.data).toEqual(expected.data);
      }),
    );
  });

  it("stops at the first invalid element and reports only that one", () => {
    const { counted, looks } = counting();
    const given = [...Array<string>(10).fill("right"), ...Array<string>(80).fill("wrong")];
    const parsed = checkedList(counted, { max: 100 }).safeParse(given);
    expect(parsed.error?.issues.map(({ path }) => path)).toEqual([[10]]);
    expect(looks()).toBe(11);
  });

  it("doesn't check elements of a list that is too long or too short", () => {
    const { counted, looks } = counting();
    const list = z.object({ data: checkedList(counted, { min: 1, max: 100 }) });
    for (const data of [[], Array<string>(101).fill("right"), { length: 1, 0: "right" }]) {
      expect(list.safeParse({ data }).error?.issues).toMatchObject([
        { path: ["data"], message: "Invalid input: expected a list of 1 to 100" },
      ]);
    }
    expect(looks()).toBe(0);
  });

  it("reports the path within the invalid element", () => {
    const list = z.object({ data: checkedList(Element, { max: 100 }) });
    const parsed = list.safeParse({ data: [{ id: 1, name: "a" }, { id: "two" }] });
    expect(parsed.error?.issues).toMatchObject([
      {
        path: ["data", 1, "id"],
        message: "Invalid input: expected number, received string",
      },
    ]);
  });
});
