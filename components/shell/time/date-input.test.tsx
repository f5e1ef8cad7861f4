import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider } from "@/lib/client/use-now";
import { DateField, DateInput, refusalOf } from "./date-input";

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

test("text that isn't a date is answered with an example, a date out of range with the range", () => {
  const range = { kind: "date", min: "2026-11-25", max: "2028-11-24" } as const;
  expect(refusalOf(null, range)).toBe("Enter a date like 24 Nov 2026.");
  expect(refusalOf("2026-11-24", range)).toBe("Enter a date from 25 Nov 2026 to 24 Nov 2028.");
  expect(refusalOf("2026-11-24", { kind: "date", min: "2026-11-25" })).toBe(
    "Enter a date from 25 Nov 2026 on.",
  );
  expect(refusalOf(null, { kind: "datetime" })).toBe(
    "Enter a date and time like 24 Nov 2026, 23:18.",
  );
});
