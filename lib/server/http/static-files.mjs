import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { bestEncoding } from "./compress-once.mjs";

/** Content types by the ending of a file's name. */
const TYPES = new Map([
  [".js", "application/javascript; charset=UTF-8"],
  [".css", "text/css; charset=UTF-8"],
]);

/**
 * The build's scripts and styles that the build has compressed: `x.js.br` beside `x.js`. Next would
 * send them compressed anew, and less well, for every visit.
 * @param {string} buildDir Next's build, absolute
 * @returns {Promise<(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => boolean>}
 *   answers a request for one of them, and tells whether it did; all others are Next's
 */
export async function readStaticFiles(buildDir) {
  /** By address. @type {Map<string, { type: string, body: Buffer }>} */
  const files = new Map();
  const directory = path.join(buildDir, "static");
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  for (const name of names) {
    const plain = name.replace(/\.br$/, "");
    const type = TYPES.get(path.extname(plain));
    if (plain === name || type === undefined) continue;
    const address = plain.split(path.sep).map(encodeURIComponent).join("/");
    const body = await readFile(path.join(directory, name));
    files.set(`/_next/static/${address}`, { type, body });
  }

  return (request, response) => {
    if (request.method !== "GET" || !request.url?.startsWith("/_next/static/")) return false;
    const file = files.get(request.url);
    if (file === undefined || bestEncoding(request.headers["accept-encoding"]) !== "br") {
      return false;
    }
    response.writeHead(200, {
      "content-type": file.type,
      "content-encoding": "br",
      "content-length": file.body.length,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
      "x-content-type-options": "nosniff",
    });
    response.end(file.body);
    return true;
  };
}
