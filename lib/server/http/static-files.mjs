import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { bestEncoding } from "./encoding.mjs";
import { strictPolicy } from "./headers.mjs";

/** Content types by file extension; other files are not served. */
const TYPES = new Map([
  [".css", "text/css; charset=UTF-8"],
  [".js", "application/javascript; charset=UTF-8"],
  [".png", "image/png"],
  [".svg", "image/svg+xml"],
  [".txt", "text/plain; charset=UTF-8"],
  [".woff2", "font/woff2"],
]);

/**
 * Policies of files that may be a document or a worker: the icon has inline styles, and a service
 * worker may fetch what we serve.
 */
const POLICIES = new Map([
  [".js", strictPolicy("connect-src 'self'; ")],
  [".svg", strictPolicy("style-src 'unsafe-inline'; ")],
]);

/** File names of the build change with their content; other files are revalidated each time. */
const FOR_GOOD = "public, max-age=31536000, immutable";
const ASK_AGAIN = "public, no-cache";

/**
 * @typedef {{ headers: Record<string, string>, file: string, plain: Buffer | null, br: Buffer | null }} StaticFile
 *   `plain`: null for what is nearly always sent compressed; it is then read from `file`
 */

/**
 * All static files: the build's, with those that it has compressed (`x.js.br` beside `x.js`), those
 * of `public/`, and the icon. None are served by Next.
 * @param {string} root the project's, absolute
 * @returns {Promise<(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse, path: string) => boolean>}
 *   answers a request for one of them, and returns whether it did
 */
export async function readStaticFiles(root) {
  /** By path. @type {Map<string, StaticFile>} */
  const files = new Map();
  const build = path.join(root, ".next/static");
  for (const name of await namesIn(build)) {
    const address = name.split(path.sep).map(encodeURIComponent).join("/");
    await add(`/_next/static/${address}`, path.join(build, name), FOR_GOOD);
  }
  const open = path.join(root, "public");
  for (const name of await namesIn(open)) await add(`/${name}`, path.join(open, name), ASK_AGAIN);
  await add("/icon.svg", path.join(root, "app/icon.svg"), ASK_AGAIN);
  // Under stable names, for pages that Next does not render.
  for (const name of ["geist.woff2", "geist-mono.woff2"]) {
    await add(`/${name}`, path.join(root, "app/fonts", name), ASK_AGAIN);
  }

  /**
   * @param {string} address
   * @param {string} file
   * @param {string} caching
   */
  async function add(address, file, caching) {
    const type = TYPES.get(path.extname(file));
    const policy = POLICIES.get(path.extname(file));
    const plain = type === undefined ? null : await readFile(file).catch(() => null);
    if (type === undefined || plain === null) return;
    const br = await readFile(`${file}.br`).catch(() => null);
    files.set(address, {
      headers: {
        "content-type": type,
        "cache-control": caching,
        etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 27)}"`,
        ...(policy !== undefined && { "content-security-policy": policy }),
        ...(br !== null && { vary: "accept-encoding" }),
        // Chats show it on their own pages.
        ...(type === "image/png" && { "cross-origin-resource-policy": "cross-origin" }),
      },
      file,
      plain: br === null ? plain : null,
      br,
    });
  }

  return (request, response, address) => {
    const found = files.get(address);
    if (found === undefined || (request.method !== "GET" && request.method !== "HEAD"))
      return false;
    if (request.headers["if-none-match"]?.includes(found.headers["etag"] ?? "")) {
      response.writeHead(304, found.headers).end();
    } else if (found.br !== null && bestEncoding(request.headers["accept-encoding"]) === "br") {
      send(response, { ...found.headers, "content-encoding": "br" }, found.br);
    } else if (found.plain !== null) {
      send(response, found.headers, found.plain);
    } else {
      readFile(found.file).then(
        (body) => send(response, found.headers, body),
        () => response.destroy(),
      );
    }
    return true;
  };
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {Record<string, string>} headers
 * @param {Buffer} body
 */
function send(response, headers, body) {
  response.writeHead(200, { ...headers, "content-length": body.length });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/** @param {string} directory */
async function namesIn(directory) {
  return readdir(directory, { recursive: true }).catch(() => []);
}
