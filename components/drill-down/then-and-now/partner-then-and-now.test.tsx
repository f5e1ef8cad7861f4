import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { boardThen } from "@/components/grid/past/words";
import { refusedMoment } from "@/components/grid/past/refused-moment";
import { ApiError } from "@/lib/client/api";
import { RefusedMoment } from "./partner-then-and-now";
import { thenAndNow } from "./words";

const AT_MS = Date.parse("2026-11-24T14:20:00.000Z");

test("a moment that is refused is told from one that couldn’t be loaded", () => {
  expect(refusedMoment(null, null)).toBe(boardThen.unreadable);
  expect(refusedMoment(AT_MS, new ApiError(400, "refused"))).toBe(boardThen.ahead);
  expect(refusedMoment(AT_MS, new ApiError(503, "silent"))).toBeNull();
  expect(refusedMoment(AT_MS, null)).toBeNull();
});

test("says of a moment in the future nothing but that", () => {
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <RefusedMoment problem={boardThen.ahead} />
    </QueryClientProvider>,
  );
  expect(html).toContain("That time is in the future.");
  expect(html).not.toContain(thenAndNow.loading);
  expect(html).not.toContain(thenAndNow.notLoaded);
});
