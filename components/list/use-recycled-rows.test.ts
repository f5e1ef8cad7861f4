import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_SLOTS, reuseSlots, keepSlots, type Slots } from "./use-recycled-rows";

type Line = { key: string; kind: string };

/** "g1 r2" is the line of a partner and that of an endpoint. */
const lines = (text: string): Line[] =>
  text
    .split(" ")
    .filter(Boolean)
    .map((key) => ({ kind: key.startsWith("g") ? "group" : "row", key }));
const slotsOf = ({ taken }: Slots<Line>) => taken.map(({ slot }) => slot);
const first = (text: string) => keepSlots(NO_SLOTS, lines(text));

describe("lines changed by scrolling or new data", () => {
  test("keep their element, wherever they are", () => {
    const before = first("g1 r1 r2 r3");
    expect(slotsOf(before)).toEqual([0, 1, 2, 3]);
    expect(slotsOf(keepSlots(before, lines("g1 r3 r1 r2")))).toEqual([0, 3, 1, 2]);
  });

  test("never reuse the element of a line that left", () => {
    const after = keepSlots(first("g1 r1 r2 r3"), lines("r2 r3 r4"));
    expect(slotsOf(after)).toEqual([2, 3, 4]);
    expect(slotsOf(keepSlots(after, lines("r5")))).toEqual([5]);
  });
});

describe("lines changed by the person's filters", () => {
  test("reuse the elements of the previous ones, by kind", () => {
    expect(slotsOf(reuseSlots(first("g1 r1 r2 g2 r3"), lines("g8 r7 r8 g9 r9"), null))).toEqual([
      0, 1, 2, 3, 4,
    ]);
  });

  test("reuse elements only where none has to move", () => {
    // The endpoints of one partner become those of two.
    expect(slotsOf(reuseSlots(first("g1 r1 r2 r3"), lines("g8 r7 g9 r8 r9"), null))).toEqual([
      0, 1, 4, 2, 3,
    ]);
  });

  test("get new elements when there are more, and drop some when there are fewer", () => {
    const more = reuseSlots(first("r1 r2"), lines("r5 r6 r7"), null);
    expect(slotsOf(more)).toEqual([0, 1, 2]);
    expect(more.next).toBe(3);
    const fewer = reuseSlots(more, lines("r8"), null);
    expect(slotsOf(fewer)).toEqual([0]);
    // A dropped element does not come back under its old number.
    expect(slotsOf(reuseSlots(fewer, lines("r1 r2"), null))).toEqual([0, 3]);
  });

  test("leave the focused line its element", () => {
    expect(slotsOf(reuseSlots(first("r1 r2 r3"), lines("r8 r2 r9"), "r2"))).toEqual([0, 1, 2]);
    expect(slotsOf(reuseSlots(first("r1 r2 r3"), lines("r2 r9"), "r2"))).toEqual([1, 2]);
    expect(slotsOf(reuseSlots(first("r1 r2 r3"), lines("r7 r8 r9"), "r2"))).toEqual([0, 2, 3]);
  });

  const someLines = fc
    .uniqueArray(fc.constantFrom(..."g1 g2 g3 r1 r2 r3 r4 r5 r6 r7".split(" ")))
    .map((keys) => keys.join(" "));
  test("always have one element of their kind each, in order", () => {
    fc.assert(
      fc.property(someLines, someLines, fc.constantFrom(null, "g1", "r1"), (from, to, kept) => {
        const before = first(from);
        const after = reuseSlots(before, lines(to), kept);
        expect(after.taken.map(({ line }) => line.key)).toEqual(lines(to).map(({ key }) => key));
        const slots = slotsOf(after);
        expect(new Set(slots).size).toBe(slots.length);
        const reused = after.taken.filter(({ slot }) => slot < before.next);
        expect(reused.map(({ slot }) => slot)).toEqual(
          reused.map(({ slot }) => slot).toSorted((a, b) => a - b),
        );
        for (const { slot, line } of reused) {
          const old = before.taken[slot]?.line;
          expect(old?.kind).toBe(line.kind);
          if (line.key === kept || old?.key === kept) expect(old?.key).toBe(line.key);
        }
      }),
    );
  });

  test("keep as many elements as possible", () => {
    fc.assert(
      fc.property(someLines, someLines, (from, to) => {
        const before = first(from);
        const stay = slotsOf(reuseSlots(before, lines(to), null)).filter((it) => it < before.next);
        const kinds = (text: string) => lines(text).map(({ kind }) => kind);
        expect(stay).toHaveLength(longestCommon(kinds(from), kinds(to)));
      }),
    );
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const [head, ...rest] = a;
  if (head === undefined || b.length === 0) return 0;
  const at = b.indexOf(head);
  const without = longestCommon(rest, b);
  return at === -1 ? without : Math.max(without, 1 + longestCommon(rest, b.slice(at + 1)));
}
