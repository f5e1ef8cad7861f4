// After `next build`: keeps every script and style of the build a second time, as small as it gets, as
// `x.js.br` beside `x.js`. Their names change with their content, so the best compression, far too slow for
// a request, is paid once: a seventh less to load than what a stream gives, and no work for a visit.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { root } from "./steps.mjs";

const directory = path.join(root, ".next/static");
for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
  if (!/\.(?:js|css)$/.test(name)) continue;
  const file = path.join(directory, name);
  const content = readFileSync(file);
  const compressed = brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  writeFileSync(`${file}.br`, compressed);
}
