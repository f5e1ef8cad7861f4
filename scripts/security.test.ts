import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor, type JSXAttributeItem } from "oxc-parser";
import { expect, test } from "vitest";
import { KEY_USES } from "@/lib/server/keys";

/** The levels of ASVS 5.0.0's requirements, in order, by section. */
const LEVELS: Readonly<Record<string, string>> = {
  "1.1": "22",
  "1.2": "1111122223",
  "1.3": "112222222223",
  "1.4": "222",
  "1.5": "123",
  "2.1": "122",
  "2.2": "112",
  "2.3": "12223",
  "2.4": "23",
  "3.1": "3",
  "3.2": "113",
  "3.3": "12223",
  "3.4": "11222233",
  "3.5": "11122333",
  "3.6": "3",
  "3.7": "22333",
  "4.1": "12233",
  "4.2": "23333",
  "4.3": "22",
  "4.4": "1222",
  "5.1": "2",
  "5.2": "112333",
  "5.3": "113",
  "5.4": "222",
  "6.1": "122",
  "6.2": "111111112222",
  "6.3": "11223333",
  "6.4": "112233",
  "6.5": "22222333",
  "6.6": "2223",
  "6.7": "33",
  "6.8": "2222",
  "7.1": "222",
  "7.2": "1111",
  "7.3": "22",
  "7.4": "11222",
  "7.5": "223",
  "7.6": "22",
  "8.1": "1233",
  "8.2": "1123",
  "8.3": "133",
  "8.4": "23",
  "9.1": "111",
  "9.2": "1222",
  "10.1": "22",
  "10.2": "223",
  "10.3": "22223",
  "10.4": "1111122222233333",
  "10.5": "22222",
  "10.6": "22",
  "10.7": "222",
  "11.1": "2233",
  "11.2": "22233",
  "11.3": "11233",
  "11.4": "1222",
  "11.5": "23",
  "11.6": "23",
  "11.7": "33",
  "12.1": "12233",
  "12.2": "11",
  "12.3": "22223",
  "13.1": "2333",
  "13.2": "222223",
  "13.3": "2233",
  "13.4": "1222233",
  "14.1": "22",
  "14.2": "12223333",
  "14.3": "122",
  "15.1": "12233",
  "15.2": "12233",
  "15.3": "1222222",
  "15.4": "3333",
  "16.1": "2",
  "16.2": "22222",
  "16.3": "2222",
  "16.4": "222",
  "16.5": "2223",
  "17.1": "23",
  "17.2": "22223333",
  "17.3": "22",
};

/** The project's folders. */
const folders = new Set(readdirSync("."));
const DOCUMENT = readFileSync("docs/security.md", "utf8");

type Row = { number: string; level: string; state: string; why: string; shownBy: string };

const rows: Row[] = Array.from(
  DOCUMENT.matchAll(/^\| (\d+\.\d+\.\d+) .*$/gm),
  ({ 0: line, 1: number = "" }) => {
    const [, , level = "", , state = "", why = "", shownBy = ""] = line
      .split("|")
      .map((cell) => cell.trim());
    return { number, level, state, why, shownBy };
  },
);

test("has one row for every requirement of levels 1 and 2, in order, with its level", () => {
  const required = Object.entries(LEVELS).flatMap(([section, levels]) =>
    Array.from(levels, (level, at) => ({ number: `${section}.${at + 1}`, level })),
  );
  expect(required).toHaveLength(345);
  expect(rows.map(({ number, level }) => ({ number, level }))).toEqual(
    required.filter(({ level }) => level !== "3"),
  );
});

test("says of each row whether it is met, how or why not, and which test shows what is met", () => {
  for (const { number, state, why, shownBy } of rows) {
    expect([number, state]).toEqual([
      number,
      expect.stringMatching(/^(?:met|not met|doesn't apply)$/),
    ]);
    expect([number, why.length > 0]).toEqual([number, true]);
    expect([number, state !== "doesn't apply" && shownBy === ""]).toEqual([number, false]);
  }
});

test("sums up exactly the requirements that aren't met", () => {
  const [, summary = ""] = /^## Not met\n([^]*?)^## /m.exec(DOCUMENT) ?? [];
  const named = summary.match(/\b\d+\.\d+\.\d+\b/g) ?? [];
  const unmet = rows.filter(({ state }) => state === "not met").map(({ number }) => number);
  expect(named.toSorted()).toEqual(unmet.toSorted());
});

test.each(["docs/security.md", "SECURITY.md"])(
  "%s names only paths and headings that exist",
  (file) => {
    const text = readFileSync(file, "utf8");
    const quoted = Array.from(text.matchAll(/`([\w.@[\]()/-]+)`/g), ([, name = ""]) => name);
    const paths = quoted.filter((name) =>
      name.includes("/")
        ? folders.has(name.slice(0, name.indexOf("/")))
        : /\.(?:json|mjs|ts)$/.test(name),
    );
    expect(paths.filter((name) => !existsSync(name))).toEqual([]);
    const links = Array.from(text.matchAll(/\]\(([^):]+)\)/g), ([, target = ""]) => target);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((target) => !leadsSomewhere(file, target))).toEqual([]);
  },
);

test("every use of a key is in the list of keys", () => {
  const list = readFileSync("docs/keys.md", "utf8");
  expect(KEY_USES.filter((use) => !list.includes(`\`plumbline ${use}\``))).toEqual([]);
});

test("our code hashes by SHA-256 only", () => {
  const files = readdirSync("lib", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.(?:mjs|tsx?)$/.test(file) && !/\.test\.tsx?$/.test(file),
  );
  const named = files.flatMap((file) =>
    Array.from(
      readFileSync(path.join("lib", file), "utf8").matchAll(
        /\b(?:createHash|createHmac|hkdfSync)\(\s*([^,)]*)/g,
      ),
      ([, name = ""]) => name,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => name !== '"sha256"')).toEqual([]);
});

test("password fields are masked, named for password managers, and can be pasted into", () => {
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx"))
      .map((file) => path.join(folder, file)),
  );
  const wrong: string[] = [];
  let fields = 0;
  for (const file of files) {
    const { program } = parseSync(file, readFileSync(file, "utf8"));
    new Visitor({
      JSXOpeningElement({ attributes }) {
        const given = new Map(attributes.flatMap(nameAndText));
        const isNamed = /^(?:current|new)-password$/.test(given.get("autoComplete") ?? "");
        const isMasked = given.get("type") === "password";
        fields += isMasked ? 1 : 0;
        if (isNamed !== isMasked || given.has("onPaste")) wrong.push(file);
      },
    }).visit(program);
  }
  expect(fields).toBeGreaterThan(3);
  expect(wrong).toEqual([]);
});

/** The name and constant text of an attribute; none of a spread. */
function nameAndText(attribute: JSXAttributeItem): [name: string, text: string][] {
  if (attribute.type !== "JSXAttribute" || attribute.name.type !== "JSXIdentifier") return [];
  const { name, value } = attribute;
  return [[name.name, value?.type === "Literal" ? value.value : ""]];
}

/** Whether a link's file exists, and has its heading. */
function leadsSomewhere(file: string, target: string): boolean {
  const [name = "", heading] = target.split("#");
  const other = name === "" ? file : path.join(path.dirname(file), name);
  if (!existsSync(other)) return false;
  if (heading === undefined) return true;
  const headings = readFileSync(other, "utf8").matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, words = ""]) => slugOf(words)).includes(heading);
}

/** The anchor of a heading, as GitHub makes it. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");
}
