import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider } from "@/lib/client/use-now";
import { Clock } from "./clock";

const drawn = (isOnPhone: boolean) =>
  renderToStaticMarkup(
    <ClockProvider nowMs={Date.parse("2026-11-24T14:20:00Z")}>
      <Clock isOnPhone={isOnPhone} />
    </ClockProvider>,
  );

test("a phone shows the zone of the page's times, without the time", () => {
  expect(drawn(true)).toMatch(
    /<time class="[^"]*nowrap"[^>]*><span class="max-sm:hidden">14:20:00 <\/span><span class="[^"]*">UTC</,
  );
  expect(drawn(false)).toMatch(/<time class="[^"]*max-sm:hidden"/);
});
