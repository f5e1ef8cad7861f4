import path from "node:path";
import type { NextConfig } from "next";

/** Configured like the measured app, so that only the app itself differs. */
const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
  compress: false,
  // Next and React come from the surrounding project.
  turbopack: { root: path.resolve(import.meta.dirname, "../..") },
};

export default config;
