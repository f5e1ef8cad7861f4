import { createHash } from "node:crypto";

/** Every address that Next draws, as its folders under `app/` name them. */
export const PAGES = [
  "/",
  "/[company]",
  "/[company]/activity",
  "/[company]/api-calls",
  "/[company]/partners/[partner]",
  "/[company]/partners/[partner]/[endpoint]",
  "/[company]/schedules",
  "/[company]/schedules/[id]",
  "/[company]/wall",
  "/pair",
  "/settings/displays",
  "/signin",
  "/wall",
  "/wall/plain",
];

const pages = PAGES.map((page) => page.split("/").slice(1));

/**
 * Whether Next has a page for a path. Whatever else Next would answer is nothing that we use: no company
 * begins with an underscore or holds a dot, and what does is Next's own or a file that is not there.
 * @param {string} path without a query
 */
export function isPage(path) {
  const segments = path.split("/").slice(1);
  if (/^_|\./.test(segments[0] ?? "")) return false;
  if (segments.length > 1 && segments.at(-1) === "") segments.pop();
  return pages.some(
    (page) =>
      page.length === segments.length &&
      page.every(
        (part, at) => part === segments[at] || (part.startsWith("[") && segments[at] !== ""),
      ),
  );
}

const STYLE =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem}";

/** What a person finds at an address that no page has: words and a way out, at the cost of a refusal. */
const NOT_FOUND = Buffer.from(
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Page not found · Plumbline</title><style>${STYLE}</style></head><body><main><h1>Page not found</h1><p>This page doesn’t exist.</p><p><a href="/">All companies</a></p></main></body></html>`,
);
const NOT_FOUND_POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; frame-ancestors 'none'`;

/**
 * Answers 404 as a page.
 * @param {import("node:http").ServerResponse} response
 */
export function sendNotFoundPage(response) {
  response.writeHead(404, {
    "content-type": "text/html; charset=utf-8",
    "content-length": NOT_FOUND.length,
    "content-security-policy": NOT_FOUND_POLICY,
    "cache-control": "private, no-store",
  });
  response.end(response.req.method === "HEAD" ? undefined : NOT_FOUND);
}
