import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import { ConfidenceIcon } from "@/components/shell/confidence-icon";
import { VERDICTS } from "@/lib/domain/sync";
import { confidenceMark, verdictMark } from "./marks";

/** Markup without its outermost tag and insignificant whitespace. */
const drawingOf = (markup: string) =>
  markup.replace(/^<svg[^>]*>/, "").replaceAll(/\s*(?=[<>])|(?<=>)\s*/g, "");

test.each([...VERDICTS, "syncing", "stuck"] as const)("draws %s as the app's pages do", (shape) => {
  const drawn = renderToStaticMarkup(createElement(VerdictIcon, { shape }));
  expect(drawingOf(verdictMark(shape).html)).toBe(drawingOf(drawn));
});

test.each(["live", "delayed", "blind"] as const)(
  "draws the bars of %s as the app's pages do",
  (confidence) => {
    const drawn = renderToStaticMarkup(createElement(ConfidenceIcon, { confidence }));
    expect(drawingOf(confidenceMark(confidence).html)).toBe(drawingOf(drawn));
  },
);
