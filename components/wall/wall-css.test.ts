import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const wall = withoutComments(readFileSync("public/wall.css", "utf8"));
const tokens = readFileSync("app/tokens.css", "utf8");

function withoutComments(css: string): string {
  return css.replaceAll(/\/\*[\s\S]*?\*\//g, "");
}

/** Custom properties of the first rule with this selector. */
function propertiesOf(css: string, selector: string): Map<string, string> {
  const from = css.indexOf("{", css.indexOf(`${selector} {`));
  const rule = css.slice(from + 1, css.indexOf("}", from));
  return new Map(
    [...rule.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/** The colour tokens of one theme, by name. */
function coloursOf(theme: "light" | "dark"): Map<string, string> {
  const declared = tokens.matchAll(/(--[\w-]+):\s*(?:light-dark\((#\w+), (#\w+)\)|([^;]+));/g);
  return new Map(
    [...declared].map(([, name = "", light = "", dark = "", both]) => [
      name,
      both ?? (theme === "light" ? light : dark),
    ]),
  );
}

describe("public/wall.css", () => {
  it("uses nothing that Chrome 87 does not support", () => {
    for (const newer of [
      /@(layer|container|supports|property|import)/,
      /:(is|where|has|not)\(/,
      /color-mix|oklch|oklab|lch\(|light-dark/,
      /\binset\s*:/,
      /aspect-ratio/,
      /\d(dvh|svh|lvh|dvw|cqw|cqh)\b/,
      /&/,
      /\b(animation|transition)\b/,
    ])
      expect(wall).not.toMatch(newer);
  });

  it("takes every verdict colour from the tokens", () => {
    for (const theme of ["light", "dark"] as const) {
      const own = propertiesOf(wall, `.wall[data-theme="${theme}"]`);
      const shared = coloursOf(theme);
      const verdicts = [...own].filter(([name]) => /-(mark|text|wash|on|live|delayed)$/.test(name));
      expect(verdicts.length).toBeGreaterThan(15);
      for (const [name, value] of verdicts)
        expect({ [name]: value }).toEqual({ [name]: shared.get(name) });
    }
  });

  it("uses pure black and pure white as backgrounds", () => {
    expect(propertiesOf(wall, '.wall[data-theme="dark"]').get("--bg")).toBe("#000000");
    expect(propertiesOf(wall, '.wall[data-theme="light"]').get("--bg")).toBe("#ffffff");
  });

  it("defines every property that it uses", () => {
    const defined = new Set([...wall.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    // Set by the page's fonts and by style attributes.
    const given = [
      "--font-geist-sans",
      "--font-geist-mono",
      "--tiles",
      "--dot",
      "--pitch",
      "--height",
      "--tail",
    ];
    const used = [...wall.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name);
    const missing = new Set(used.filter((name) => !defined.has(name)));
    expect(missing).toEqual(new Set(given));
  });
});
