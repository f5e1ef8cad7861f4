import path from "node:path";
import type { NextConfig } from "next";

/** As the measured app is configured, so that only the app itself differs. */
const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
  compress: false,
  // Next and React come from the project around this one.
  turbopack: { root: path.resolve(import.meta.dirname, "../..") },
};

export default config;
