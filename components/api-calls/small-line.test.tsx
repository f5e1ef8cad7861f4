import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CallsBar } from "./calls-bar";
import { SmallLine } from "./small-line";

const pathsOf = (html: string) =>
  [...html.matchAll(/<path(?: class="([^"]*)")? d="([^"]*)"/g)].map(([, name, d]) => [name, d]);

test("draws readings as steps, broken where one is missing", () => {
  const html = renderToStaticMarkup(
    <SmallLine
      at={[0, 10, 20, 30, 40]}
      values={[10, 20, null, 5, 20]}
      before={[null, null, null, null, 20]}
      allowed={null}
    />,
  );
  expect(pathsOf(html)).toEqual([
    ["is-before", "M100 1"],
    [undefined, "M0 11H25V1H50M75 16H100V1"],
  ]);
  expect(html).toContain('aria-label="Past 7 days: between 5 and 20"');
});

test("leaves out an allowance that would flatten the line", () => {
  const drawn = (allowed: number) =>
    pathsOf(
      renderToStaticMarkup(
        <SmallLine at={[0, 1]} values={[5, 10]} before={[]} allowed={allowed} />,
      ),
    );
  expect(drawn(20)[0]).toEqual(["is-limit", "M0 1H100"]);
  expect(drawn(21)).toHaveLength(2);
});

test("says that nothing is known of the week", () => {
  expect(
    renderToStaticMarkup(<SmallLine at={[]} values={[]} before={[]} allowed={null} />),
  ).toContain('aria-label="Past 7 days: no data"');
});

test("marks the allowance on the bar's scale, unless it is beyond", () => {
  const html = (allowed: number | null) =>
    renderToStaticMarkup(<CallsBar calls={50} scale={200} allowed={allowed} />);
  expect(html(100)).toContain('<i style="width:25%"></i><u style="left:50%"></u>');
  expect(html(201)).not.toContain("<u");
  expect(html(null)).not.toContain("<u");
});
