import fc from "fast-check";
import { expect, test } from "vitest";
import { afterPage, isCovered, nextPage, resumed, type FileCoverage } from "./file-coverage";

const PER_PAGE = 10;
const START: FileCoverage = { covered: 0, ahead: null, total: null };

/** A list with additions at the head and deletions anywhere. */
function createList(count: number) {
  let ids = Array.from({ length: count }, (_, index) => count - index);
  let nextId = count + 1;
  return {
    ids: () => ids,
    page: (page: number) => ({
      data: ids.slice((page - 1) * PER_PAGE, page * PER_PAGE),
      meta: { page, per_page: PER_PAGE, total_count: ids.length },
    }),
    arrive: () => void (ids = [nextId++, ...ids]),
    go: (at: number) => void (ids = ids.filter((_, index) => index !== at % ids.length)),
  };
}

function scan(
  list: ReturnType<typeof createList>,
  between: (step: number) => void,
  from: FileCoverage = START,
): { seen: Set<number>; pages: number[] } {
  const seen = new Set<number>();
  const pages: number[] = [];
  let coverage = from;
  while (!isCovered(coverage)) {
    const { data, meta } = list.page(nextPage(coverage, PER_PAGE));
    pages.push(meta.page);
    for (const id of data) seen.add(id);
    coverage = afterPage(coverage, meta);
    between(pages.length);
  }
  return { seen, pages };
}

test("reads each page of an unchanged list once", () => {
  expect(scan(createList(35), () => {}).pages).toEqual([1, 2, 3, 4]);
  expect(scan(createList(30), () => {}).pages).toEqual([1, 2, 3]);
  expect(scan(createList(0), () => {}).pages).toEqual([1]);
});

test("misses no file that stays in the list, whatever is added or deleted between pages", () => {
  const change = fc.oneof(
    fc.record({ arrive: fc.nat(25), go: fc.constant<number[]>([]) }),
    fc.record({ arrive: fc.constant(0), go: fc.array(fc.nat(), { maxLength: 25 }) }),
  );
  fc.assert(
    fc.property(fc.nat(120), fc.array(change, { maxLength: 25 }), (count, changes) => {
      const list = createList(count);
      const before = list.ids();
      const { seen } = scan(list, (step) => {
        const { arrive, go } = changes[step - 1] ?? { arrive: 0, go: [] };
        for (let n = 0; n < arrive; n += 1) list.arrive();
        for (const at of go) list.go(at);
      });
      const stayed = before.filter((id) => list.ids().includes(id));
      expect(stayed.filter((id) => !seen.has(id))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test("reaches the end even if a file is deleted before every page", () => {
  const list = createList(1000);
  const { pages } = scan(list, () => list.go(0));
  expect(pages.length).toBeLessThan(3 * 100);
});

test("costs one page per deleted file", () => {
  const list = createList(100);
  const { pages } = scan(list, (step) => {
    if (step === 5) list.go(7);
  });
  expect(pages).toEqual([1, 2, 3, 4, 5, 6, 5, 7, 8, 9, 10]);
});

test("steps back by a page when resumed, and by what was deleted meanwhile", () => {
  const list = createList(100);
  for (let n = 0; n < 25; n += 1) list.go(0);
  const { pages } = scan(list, () => {}, resumed(7, 100, PER_PAGE));
  expect(pages).toEqual([6, 3, 4, 5, 7, 8]);
});
