import { createHash } from "node:crypto";
import { strictPolicy } from "./headers.mjs";

/** Every address that Next renders, as its folders under `app/` name them. */
export const PAGES = [
  "/",
  "/[company]",
  "/[company]/[...missing]",
  "/[company]/activity",
  "/[company]/api-calls",
  "/[company]/incidents",
  "/[company]/incidents/[id]",
  "/[company]/partners/[partner]",
  "/[company]/partners/[partner]/[endpoint]",
  "/[company]/promises",
  "/[company]/report",
  "/[company]/schedules",
  "/[company]/schedules/[id]",
  "/[company]/wall",
  "/companies",
  "/incidents",
  "/pair",
  "/partners",
  "/partners/[partner]",
  "/settings",
  "/settings/[...missing]",
  "/settings/activity",
  "/settings/alerts",
  "/settings/channels",
  "/settings/channels/slack",
  "/settings/connections",
  "/settings/connections/new",
  "/settings/displays",
  "/settings/links",
  "/settings/me",
  "/settings/people",
  "/settings/rules",
  "/settings/tokens",
  "/signin",
  "/signin/password/[secret]",
  "/wall",
  "/wall/plain",
];

const pages = PAGES.map((page) => page.split("/").slice(1));

/**
 * Whether Next has a page for a path, which may be "not found" in the frame of the app. Other addresses that Next would
 * handle aren't served: company slugs never start with an underscore, contain a dot or are `500`; such paths are Next's own
 * or missing files. Handlers and shared pages have a "not found" of their own.
 * @param {string} path without a query
 */
export function isPage(path) {
  const segments = path.split("/").slice(1);
  if (/^_|\.|^(?:api|s|500)$/.test(segments[0] ?? "")) return false;
  if (segments.length > 1 && segments.at(-1) === "") segments.pop();
  return pages.some((page) => {
    const isOpenEnded = page.at(-1)?.startsWith("[...") === true;
    if (isOpenEnded ? segments.length < page.length : segments.length !== page.length) return false;
    return segments.every((segment, at) => {
      const part = page[at] ?? "[...";
      // The name of a file.
      if (part.startsWith("[...") && segment.includes(".")) return false;
      return part === segment || (part.startsWith("[") && segment !== "");
    });
  });
}

const WALL = /^\/(?:wall|wall\/plain|[^/]+\/wall)\/?$/;

/**
 * Whether a path is a wall's: for displays, and the only pages that may be framed.
 * @param {string} path without a query
 */
export function isWallPage(path) {
  return WALL.test(path);
}

/** Our colours and the plumb line, as in `app/tokens.css`; browsers without `light-dark` use their defaults. */
const STYLE = [
  ":root{color-scheme:light dark}",
  "body{margin:0 14px;background:light-dark(#fbfbf9,#0c0d0f);color:light-dark(#16181b,#eeeff0);font:14px/20px ui-sans-serif,system-ui,sans-serif}",
  "main{max-width:26rem;margin:20vh auto 0;padding:0 1rem 2px 15px;border-left:1px solid}",
  "h1{margin:0 0 4px;font-size:20px;line-height:26px;font-weight:600;letter-spacing:-.02em}",
  "p{margin:0 0 8px}",
  "a{color:inherit;text-underline-offset:3px}",
].join("");

/**
 * A text-only page, as cheap as a refusal.
 * @param {string} title
 * @param {string} content HTML
 * @param {string} head more of the head, HTML
 */
const plainPage = (title, content, head = "") =>
  Buffer.from(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>${title} · Plumbline</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>`,
  );
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** @param {string} framers value of `frame-ancestors` */
const policy = (framers) => strictPolicy(`style-src 'sha256-${STYLE_HASH}'; `, framers);

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy("'none'"),
  "cache-control": "private, no-store",
};

/**
 * Headers for a page shown instead of another. A wall's replacement must be frameable like the wall: otherwise the
 * browser shows its own error in the frame, which never reloads.
 * @param {string} path of the page, without a query
 * @returns {Readonly<Record<string, string>>}
 */
function framedAs(path) {
  if (!isWallPage(path)) return {};
  const framers = `'self' ${process.env["WALL_FRAME_ORIGINS"] ?? ""}`.trim();
  return { "content-security-policy": policy(framers) };
}

/** Page for an unknown address, which may be a share link that was cut off: strangers get it too, for every address. */
const NOT_FOUND = plainPage(
  "Page not found",
  '<p>This page doesn’t exist. If someone sent you the link, check that it’s complete, or ask them for a new one.</p><p><a href="/">Go to Plumbline</a></p>',
);

/** Reload interval, seconds. */
const STARTS_WITHIN = 3;
const BACK_WITHIN = 5;

/** @param {number} seconds */
const reloads = (seconds) => refresh(String(seconds));

/** @param {string} content */
const refresh = (content) =>
  `<meta http-equiv="refresh" content="${content.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}">`;

/** Page shown while the database is unavailable and the cache lacks what a page needs. */
const UNREACHABLE_TITLE = "Plumbline can’t reach its database";
const UNREACHABLE = plainPage(
  UNREACHABLE_TITLE,
  "<p>We can’t show this page until it’s back. Nothing you’ve saved is lost. This page reloads automatically.</p>",
  reloads(BACK_WITHIN),
);
const UNREACHABLE_HEADERS = { "retry-after": String(BACK_WITHIN) };

/**
 * Answers 404 as a page.
 * @param {import("node:http").ServerResponse} response
 */
export function sendNotFoundPage(response) {
  send(response, 404, NOT_FOUND);
}

/** Same, for a handler whose response must not differ from that of a missing address. */
export const NOT_FOUND_PAGE = pageAnswer(404, NOT_FOUND);

/**
 * A text-only page, for a handler.
 * @param {number} status
 * @param {string} title
 * @param {string} sentence ours: it is not escaped
 * @param {Readonly<Record<string, string>>} headers
 */
export function wordsPage(status, title, sentence, headers = {}) {
  return pageAnswer(status, plainPage(title, `<p>${sentence}</p>`), headers);
}

/**
 * The page shown when a rate limit is exceeded. It reloads once the limit allows it.
 * @param {number} retryAfterSeconds
 * @param {string} path of the page that was asked for, without a query
 * @returns {import("./handler-response").PlainResponse}
 */
export function tooManyPage(retryAfterSeconds, path) {
  const page = plainPage(
    "Too many requests",
    "<p>Too much was requested at once. This page reloads automatically.</p>",
    reloads(retryAfterSeconds),
  );
  return pageAnswer(429, page, { "retry-after": String(retryAfterSeconds), ...framedAs(path) });
}

/**
 * @param {number} status
 * @param {Buffer} page
 * @param {Readonly<Record<string, string>>} headers
 * @returns {import("./handler-response").PlainResponse}
 */
function pageAnswer(status, page, headers = {}) {
  return { status, headers: { ...PAGE_HEADERS, ...headers }, body: Uint8Array.from(page) };
}

/**
 * Answers 503 as a page that reloads until startup has finished.
 * @param {import("node:http").ServerResponse} response
 * @param {string} path of the requested page, without a query
 * @param {string} sentence state of the startup; trusted, not escaped
 */
export function sendStartingPage(response, path, sentence) {
  response.setHeader("retry-after", STARTS_WITHIN);
  send(
    response,
    503,
    plainPage(
      "Starting",
      `<p>${sentence} This page reloads until it’s ready.</p>`,
      reloads(STARTS_WITHIN),
    ),
    framedAs(path),
  );
}

/** Replaces pages that need the database while it is unavailable: 503, and reloads until it is back. */
export const UNREACHABLE_PAGE = pageAnswer(503, UNREACHABLE, UNREACHABLE_HEADERS);

/**
 * Same, for a path, which may be a wall's.
 * @param {string} path of the requested page, without a query
 * @returns {import("./handler-response").PlainResponse}
 */
export function unreachablePage(path) {
  const { status, headers, body } = UNREACHABLE_PAGE;
  return { status, headers: { ...headers, ...framedAs(path) }, body };
}

/**
 * Same, for a sign-in at the provider that couldn't be completed without the database.
 * @param {string | null} next where the browser continues; null: the same address, whose code is unused
 * @returns {import("./handler-response").PlainResponse}
 */
export function unfinishedSignInPage(next) {
  const page = plainPage(
    UNREACHABLE_TITLE,
    "<p>We can’t sign you in until it’s back. This page tries again automatically.</p>",
    next === null ? reloads(BACK_WITHIN) : refresh(`${BACK_WITHIN};url=${next}`),
  );
  return pageAnswer(503, page, UNREACHABLE_HEADERS);
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {Buffer} page
 * @param {Readonly<Record<string, string>>} headers
 */
function send(response, status, page, headers = {}) {
  response.writeHead(status, {
    ...PAGE_HEADERS,
    ...headers,
    "content-length": page.length,
    vary: "Accept-Encoding",
  });
  response.end(response.req.method === "HEAD" ? undefined : page);
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Withholds a failed page until the cause is known: while the database is unavailable, it is replaced by a page that
 * explains this, and reloads until it's back. A redirect is sent without the framework's error page, which no one sees.
 * Every other response passes unchanged.
 * @param {import("node:http").ServerResponse} response to which nothing was written yet
 * @param {string} path of the page, without a query
 * @param {() => Promise<boolean>} isDatabaseAway never rejects
 */
export function explainFailure(response, path, isDatabaseAway) {
  const [writeHead, write, end] = [
    response.writeHead.bind(response),
    response.write.bind(response),
    response.end.bind(response),
  ];
  const ours = new Set(response.getHeaderNames());
  /** @type {Buffer[] | null} Null: nothing is held back. */
  let held = null;

  /** @param {unknown} chunk @param {unknown} encoding */
  const keep = (chunk, encoding) => {
    if (typeof chunk === "string")
      held?.push(Buffer.from(chunk, /** @type {BufferEncoding | undefined} */ (encoding)));
    else if (chunk instanceof Uint8Array) held?.push(Buffer.from(chunk));
  };
  const holdsBack = () => {
    const { headersSent, statusCode } = response;
    if (held === null && !headersSent && (statusCode === 500 || REDIRECTS.has(statusCode)))
      held = [];
    return held !== null;
  };
  const release = () => Object.assign(response, { writeHead, write, end });
  const answer = async () => {
    if (REDIRECTS.has(response.statusCode)) {
      release();
      for (const name of ["content-type", "link"]) response.removeHeader(name);
      response.setHeader("content-length", 0);
      response.end();
      return;
    }
    const isAway = await isDatabaseAway();
    release();
    if (response.destroyed) return;
    if (!isAway) {
      response.end(Buffer.concat(held ?? []));
      return;
    }
    // The framework's headers describe its own page, not ours.
    for (const name of response.getHeaderNames()) if (!ours.has(name)) response.removeHeader(name);
    for (const [name, value] of Object.entries(UNREACHABLE_HEADERS))
      response.setHeader(name, value);
    send(response, 503, UNREACHABLE, framedAs(path));
  };

  Object.assign(response, {
    /** @param {number} status @param {...any} rest */
    writeHead(status, ...rest) {
      response.statusCode = status;
      if (!holdsBack()) return Reflect.apply(writeHead, undefined, [status, ...rest]);
      const given = rest.at(-1);
      if (typeof given === "object" && given !== null && !Array.isArray(given))
        for (const [name, value] of Object.entries(given)) response.setHeader(name, value);
      return response;
    },
    /** @param {any[]} args */
    write(...args) {
      if (!holdsBack()) return Reflect.apply(write, undefined, args);
      keep(args[0], args[1]);
      const done = args.findLast((one) => typeof one === "function");
      if (done) process.nextTick(done);
      return true;
    },
    /** @param {any[]} args */
    end(...args) {
      if (!holdsBack()) return Reflect.apply(end, undefined, args);
      keep(args[0], args[1]);
      const done = args.findLast((one) => typeof one === "function");
      if (done) response.once("finish", done);
      void answer();
      return response;
    },
  });
}
