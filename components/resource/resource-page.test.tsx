import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AllOrSomeField } from "./all-or-some-field";
import { ResourceList, ResourcePager } from "./resource-page";

const WORDS = {
  none: { title: "No pets yet", sentence: "Add one." },
  noMatches: { sentence: "No pet matches.", show: "Show all" },
  notLoaded: { title: "Couldn’t load the pets", sentence: "Retrying automatically." },
};

type Props = Partial<Parameters<typeof ResourceList<readonly string[]>>[0]>;

const drawn = ({ data, isError = false, words = WORDS, ...props }: Props) =>
  renderToStaticMarkup(
    <ResourceList
      {...props}
      data={data}
      isError={isError}
      amountOf={({ length }) => length}
      words={words}
    >
      {(pets) => pets.join()}
    </ResourceList>,
  );

test("shows the loading and error states only without data", () => {
  expect(drawn({})).toContain('aria-busy="true"');
  expect(drawn({ isError: true })).toContain("Couldn’t load the pets");
  expect(drawn({ data: ["Rex", "Polly"], isError: true })).toBe("Rex,Polly");
});

test("distinguishes an empty list from one without matches", () => {
  expect(drawn({ data: [], isNarrowed: false })).toContain("No pets yet");
  expect(drawn({ data: [] })).toMatch(/Nothing matches.*<button[^>]*>Show all<\/button>/);
  const { none } = WORDS;
  const next = <button type="button">Add a pet</button>;
  expect(drawn({ data: [], isNarrowed: false, next })).toContain("Add a pet</button>");
  expect(drawn({ data: [], next })).not.toContain("Add a pet");
  expect(drawn({ data: [], words: { none } })).toContain("No pets yet");
});

test("shows no pager for a single page", () => {
  const words = { label: "Pages", back: "Previous", on: "Next", place: () => "Page" };
  const pager = (total_pages: number) =>
    renderToStaticMarkup(
      createElement(ResourcePager, {
        words,
        meta: { page: 1, total_pages, total_count: 7 },
        onPage: () => {},
      }),
    );
  expect(pager(1)).toBe("");
  expect(pager(2)).toContain('<nav aria-label="Pages"');
});

test("offers nothing to add while all are chosen", () => {
  const field = (chosen: "all" | string[]) =>
    renderToStaticMarkup(
      createElement(AllOrSomeField, {
        label: "Companies",
        words: { all: "All companies", add: "Add a company", remove: (name) => `Remove ${name}` },
        options: [
          { value: "a", label: "Ash" },
          { value: "b", label: "Birch" },
        ],
        chosen,
        onChange: () => {},
      }),
    );
  expect(field("all")).toContain('aria-label="Remove All companies"');
  expect(field("all")).not.toContain("<select");
  expect(field(["a"])).toContain('aria-label="Remove Ash"');
  expect(field(["a"])).toMatch(/<option value="\*">All companies.*<option value="b">Birch/);
});
