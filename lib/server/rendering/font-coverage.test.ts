import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { coverageOf } from "./font-coverage";

const has = (file: string) => {
  const covered = coverageOf(readFileSync(`app/fonts/${file}`));
  return (text: string) => Array.from(text, (char) => covered.has(char.codePointAt(0) ?? 0));
};

test.each(["geist-400.ttf", "geist-600.ttf", "geist-mono-400.ttf"])(
  "%s covers accented Latin, and no other script",
  (file) => {
    const draws = has(file);
    expect(draws("daily_logs · Ærø & Łódź’s 12 h…")).not.toContain(false);
    expect(draws("日本Ω🚀ш")).not.toContain(true);
  },
);
