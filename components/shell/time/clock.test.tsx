import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider } from "@/lib/client/use-now";
import { Clock } from "./clock";

test("a phone shows the zone of the page's times, without the time", () => {
  const html = renderToStaticMarkup(
    <ClockProvider nowMs={Date.parse("2026-11-24T14:20:00Z")}>
      <Clock />
    </ClockProvider>,
  );
  expect(html).toMatch(
    /<time class="clock [^"]*"[^>]*><span class="max-sm:hidden print:inline">14:20:00 <\/span><span class="[^"]*">UTC</,
  );
  expect(html).not.toMatch(/<time class="[^"]*hidden/);
});
