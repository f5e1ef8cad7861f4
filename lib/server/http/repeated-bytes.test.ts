import { expect, test } from "vitest";
import { parseCookies } from "@/lib/server/auth/cookies";
import { browserWords } from "@/lib/domain/words/browser-words";
import { clientAddress } from "./client-address.mjs";
import { createHostCheck, plainAddress } from "./admit.mjs";
import { bestEncoding } from "./encoding.mjs";
import { ownPath } from "./own-path";
import { isPage } from "./pages.mjs";
import { isBotName } from "./preview/preview-bots.mjs";
import { respondWithReadyJson, readyJson } from "./ready-json";

/** The maximum size of a request's head, for every byte that HTTP allows. */
const LENGTH = 16_000;
const TEXTS = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
  .filter((char) => !/[\0\n\r]/.test(char))
  .map((char) => char.repeat(LENGTH));

const ready = readyJson("{}", "private, no-cache");
const hostOf = createHostCheck(["status.example.com"]);

/** Parsers of request parts, by their input, with their result for meaningless text. */
const READERS: [what: string, read: (text: string) => unknown, nothing: unknown][] = [
  ["Accept-Encoding", (text) => bestEncoding(`a${text}a`), null],
  ["Accept-Encoding with a quality", (text) => bestEncoding(`a;q=${text}`), null],
  ["X-Forwarded-For", (text) => clientAddress("192.0.2.1", `a${text}`, 1), "192.0.2.1"],
  ["User-Agent, for a person", (text) => browserWords(text), ""],
  ["User-Agent, for a bot", (text) => isBotName(`a${text}`), false],
  ["Host", (text) => hostOf(`a${text}`), "malformed"],
  ["If-None-Match", (text) => respondWithReadyJson(ready, `a${text}`).status, 200],
];

test.each(READERS)("reads nothing from 16 kB of any byte in %s", (_, read, nothing) => {
  const answers = TEXTS.map((text) => read(text));
  expect(new Set(answers)).toEqual(new Set([nothing]));
});

test("finds nothing at a path with 16 kB of any byte", () => {
  for (const text of TEXTS) {
    expect(isPage(`/a//${text}/x`)).toBe(false);
    expect(plainAddress(`/api/${text}`)).toMatch(/^\/api/);
    expect(ownPath(`https://elsewhere.example/${text}`, "http://localhost")).toBe("/");
  }
});

test("reads the cookie after 16 kB of any byte in another", () => {
  for (const text of TEXTS) expect(parseCookies(`a${text}; own=1`).get("own")).toBe("1");
});
