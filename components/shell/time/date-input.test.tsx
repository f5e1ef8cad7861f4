import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider } from "@/lib/client/use-now";
import { DateField, DateInput } from "./date-input";

const ignore = () => {};
const drawn = (field: ReactNode) =>
  renderToStaticMarkup(<ClockProvider nowMs={Date.UTC(2026, 10, 25)}>{field}</ClockProvider>);

test("a date stands in our own format, in a field for text", () => {
  const html = drawn(<DateInput kind="date" value="2026-11-24" onChange={ignore} />);
  expect(html).toContain('type="text"');
  expect(html).toContain('value="24 Nov 2026"');
  expect(html).not.toContain("aria-invalid");
});

test("an empty one shows how to write it, under its label", () => {
  const html = drawn(
    <DateField label="From" kind="datetime" value="" required onChange={ignore} />,
  );
  const [, id] = /<label for="([^"]+)"/.exec(html) ?? [];
  expect(html).toContain(`id="${id}"`);
  expect(html).toContain('placeholder="24 Nov 2026, 23:18"');
  expect(html).toContain("required");
});
