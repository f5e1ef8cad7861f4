import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { DataTable, type Column } from "./data-table";
import { RowActions } from "./row-actions";

type Pet = { name: string; legs: number };
const PETS: readonly Pet[] = [
  { name: "Rex", legs: 4 },
  { name: "Polly", legs: 2 },
];
const COLUMNS: readonly Column<Pet>[] = [
  { title: "Pet", width: "w-[40%]", phone: "1 start", isHeader: true, cell: ({ name }) => name },
  { title: "Legs", phone: "none", isNumeric: true, cell: ({ legs }) => legs },
  { title: "Actions", phone: "2 whole", isActions: true, cell: () => null },
];

const drawn = (more: Partial<Parameters<typeof DataTable<Pet>>[0]> = {}) =>
  renderToStaticMarkup(
    createElement(DataTable<Pet>, {
      label: "Pets",
      columns: COLUMNS,
      rows: PETS,
      keyOf: ({ name }) => name,
      ...more,
    }),
  );

test("names every column, and the actions column only for assistive technology", () => {
  const html = drawn();
  expect(html).toContain('<div role="region" aria-label="Pets"');
  expect(html).toContain('<th scope="col" class="w-[40%]">Pet</th>');
  expect(html).toContain('<th scope="col" class="is-numeric">Legs</th>');
  expect(html).toContain('<th scope="col"><span class="sr-only">Actions</span></th>');
});

test("gives each row a header, and each cell a position on the card", () => {
  const html = drawn();
  expect(html).toContain('<th scope="row" data-phone="1 start">Rex</th>');
  expect(html).toContain('<td data-phone="none" class="is-numeric">4</td>');
  expect(html).toContain('<td data-phone="2 whole" class="settings-acts"></td>');
});

test("marks failing rows and shows the outcome of an action below its row", () => {
  const html = drawn({
    toneOf: ({ legs }) => (legs < 4 ? "bad" : ""),
    result: ({ name }) => (name === "Rex" ? "Fed." : null),
    said: "Rex: Fed.",
  });
  expect(html.match(/<tr class="is-bad">/g)).toHaveLength(1);
  expect(html).toContain('<tr class="settings-result"><td colSpan="3">Fed.</td></tr>');
  expect(html).toContain('<p role="status" class="sr-only">Rex: Fed.</p>');
  expect(drawn()).not.toContain('role="status"');
});

test("labels an action with its row, and keeps a busy action enabled", () => {
  const html = renderToStaticMarkup(
    createElement(RowActions<"feed" | "walk">, {
      name: "Rex",
      actions: ["feed", "walk"],
      words: { feed: "Feed", walk: "Walk" },
      busy: { action: "walk", text: "Walking…" },
      onAct: () => {},
    }),
  );
  expect(html).toContain('aria-label="Feed: Rex" aria-disabled="false">Feed</button>');
  expect(html).toContain('aria-label="Walk: Rex" aria-disabled="true">Walking…</button>');
  expect(html).not.toContain(" disabled");
});
