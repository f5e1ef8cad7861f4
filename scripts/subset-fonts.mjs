// `npm run fonts`: regenerates `app/fonts/` from the complete typefaces of npm's `geist`, which are three times as
// large. Keeps every accented Latin letter, punctuation, and the weights that the interface uses. Other scripts use
// system fonts.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
// @ts-expect-error -- it has no types
import subsetFont from "subset-font";
import { root } from "./steps.mjs";

const WHOLE = path.join(root, "node_modules/geist");
const MADE = path.join(root, "app/fonts");

const SANS = "geist-sans/Geist-Variable.woff2";
const MONO = "geist-mono/GeistMono-Variable.woff2";

const FACES = {
  "geist.woff2": SANS,
  "geist-mono.woff2": MONO,
};

/** For pictures, whose library supports neither woff2 nor variable fonts. */
const PICTURE_FACES = {
  "geist-400.ttf": { whole: SANS, weight: 400 },
  "geist-600.ttf": { whole: SANS, weight: 600 },
  "geist-mono-400.ttf": { whole: MONO, weight: 400 },
};

/** Ranges of code points, inclusive; code points missing in a typeface are ignored. */
const KEPT = [
  [0x20, 0x24f], // Basic Latin to Latin Extended-B
  [0x2b0, 0x36f], // modifier letters, combining accents
  [0x1e00, 0x1eff], // Latin Extended Additional: Vietnamese, Welsh
  [0x2000, 0x22ff], // punctuation, super- and subscripts, currencies, arrows, mathematics
  [0x25a0, 0x25ff], // geometric shapes
];

/** `--weight-normal` to `--weight-strong` of `app/tokens.css`. */
const WEIGHTS = { min: 400, max: 600 };

/** Features that browsers apply by default, and the tabular numerals that we use. */
const FEATURES = [
  "calt",
  "ccmp",
  "clig",
  "kern",
  "liga",
  "locl",
  "mark",
  "mkmk",
  "rlig",
  "rvrn",
  "tnum",
];

/** @returns {Promise<ReadonlyMap<string, Buffer>>} the files of `app/fonts`, by name; deterministic */
export async function subsetFonts() {
  const text = KEPT.map(([from = 0, to = 0]) =>
    Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join(""),
  ).join("");
  /** @type {Map<string, Buffer>} */
  const files = new Map([["OFL.txt", readFileSync(path.join(WHOLE, "LICENSE.txt"))]]);
  for (const [name, whole] of Object.entries(FACES)) {
    const font = await subsetFont(readFileSync(path.join(WHOLE, "dist/fonts", whole)), text, {
      targetFormat: "woff2",
      variationAxes: { wght: WEIGHTS },
      keepFeatures: FEATURES,
    });
    files.set(name, font);
  }
  for (const [name, { whole, weight }] of Object.entries(PICTURE_FACES)) {
    const font = await subsetFont(readFileSync(path.join(WHOLE, "dist/fonts", whole)), text, {
      targetFormat: "truetype",
      variationAxes: { wght: weight },
      keepFeatures: ["kern", "mark", "tnum"],
    });
    files.set(name, font);
  }
  return files;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [name, content] of await subsetFonts()) {
    writeFileSync(path.join(MADE, name), content);
    process.stdout.write(`${name}: ${content.length} bytes\n`);
  }
}
