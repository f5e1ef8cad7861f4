import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TimeField, TimeInput } from "./time-input";

test("a time stands in 24 hours, in a field for text", () => {
  const html = renderToStaticMarkup(<TimeInput value="19:30" onChange={() => {}} />);
  expect(html).toContain('type="text"');
  expect(html).toContain('value="19:30"');
  expect(html).not.toContain("aria-invalid");
});

test("an empty one shows how to write it, under its label", () => {
  const html = renderToStaticMarkup(
    <TimeField label="From" value="" required onChange={() => {}} />,
  );
  const [, id] = /<label for="([^"]+)"/.exec(html) ?? [];
  expect(html).toContain(`id="${id}"`);
  expect(html).toContain('placeholder="23:18"');
  expect(html).toContain("required");
});
