// After `next build`: keeps every script and style that is served as a file a second time, as small as it gets,
// as `x.js.br` beside `x.js`. The best compression, far too slow for a request, is paid once: a seventh less to
// load than what a stream gives, and no work for a visit.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { root } from "./steps.mjs";

const files = [".next/static", "public"].flatMap((directory) =>
  readdirSync(path.join(root, directory), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:js|css)$/.test(name))
    .map((name) => path.join(root, directory, name)),
);
for (const file of files) {
  const content = readFileSync(file);
  const compressed = brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  writeFileSync(`${file}.br`, compressed);
}
