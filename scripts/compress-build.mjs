// After `next build`: stores the methods of each route, and a compressed copy of every served script and style,
// `x.js.br` beside `x.js`. The best compression, far too slow per request, is done once: a seventh smaller than streaming
// compression, and no work per visit.
import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { writeManifest } from "../lib/server/http/routes/route-manifest.mjs";
import { root } from "./steps.mjs";

writeManifest(root);

const compress = promisify(brotliCompress);

const files = [".next/static", "public"].flatMap((directory) =>
  readdirSync(path.join(root, directory), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:js|css)$/.test(name))
    .map((name) => path.join(root, directory, name)),
);
// In parallel, on as many threads as there are cores.
await Promise.all(
  files.map(async (file) => {
    const content = await readFile(file);
    const compressed = await compress(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    });
    await writeFile(`${file}.br`, compressed);
  }),
);
