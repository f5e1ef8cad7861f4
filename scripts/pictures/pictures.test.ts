import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PAGES } from "@/lib/server/http/pages.mjs";

const FOLDER = "docs/pictures";
const MAX_BYTES = 150_000;
/** Pages that say only that there is none, one that redirects, one whose address is a secret, one for very old browsers. */
const WITHOUT = /\/\[\.\.\.missing\]$|^\/settings$|^\/signin\/password|^\/wall\/plain$/;

const document = readFileSync("docs/pages.md", "utf8");
const addresses = [...document.matchAll(/^## .*`(\/[^`]*)`$/gm)].map(([, address = ""]) => address);
const pictures = [...document.matchAll(/\(pictures\/([\w.-]+)\)/g)].map(([, name = ""]) => name);

test("docs/pages.md has every page, and the page of a share link", () => {
  const pages = [...PAGES.filter((page) => !WITHOUT.test(page)), "/s/[token]"].map((page) =>
    page.replace("/schedules/[id]", "/schedules/[file]"),
  );
  expect(addresses.toSorted()).toEqual(pages.toSorted());
  expect(pictures).toHaveLength(addresses.length);
});

test("each picture is there once, and small", () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(pictures.toSorted());
  for (const name of pictures) {
    const file = path.join(FOLDER, name);
    expect({ name, isThere: existsSync(file) }).toEqual({ name, isThere: true });
    expect({ name, isSmall: statSync(file).size <= MAX_BYTES }).toEqual({ name, isSmall: true });
  }
});
