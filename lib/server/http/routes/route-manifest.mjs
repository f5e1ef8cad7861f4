import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { METHODS } from "./methods.mjs";

/** The build's manifest of routes and methods; relative to the root. */
const MANIFEST = ".next/plumbline-routes.json";
const EXPORTED = /^export (?:const|(?:async )?function) ([A-Z]+)\b|^ {2}\w+ as ([A-Z]+),?$/gm;

/**
 * The methods of each address with a `route.ts`, such as `{ "/api/companies/[company]/care": ["GET", "PUT"] }`.
 * @typedef {Record<string, import("../handlers").Method[]>} RouteManifest
 */

/**
 * Reads the files below `app/`. `HEAD` comes with `GET`.
 * @param {string} root of the project
 * @returns {RouteManifest}
 */
export function scanRoutes(root) {
  const app = path.join(root, "app");
  const files = readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .toSorted();
  return Object.fromEntries(
    files.map((file) => {
      const address = `/${path.dirname(file)}`.replace(/\/\([^)]*\)/g, "");
      const found = [...readFileSync(path.join(app, file), "utf8").matchAll(EXPORTED)];
      const exported = new Set(found.map(([, constant, alias]) => constant ?? alias));
      if (exported.has("GET")) exported.add("HEAD");
      return [address, METHODS.filter((method) => exported.has(method))];
    }),
  );
}

/**
 * Stores the routes of a build in the build.
 * @param {string} root of the project
 */
export function writeManifest(root) {
  writeFileSync(path.join(root, MANIFEST), JSON.stringify(scanRoutes(root)));
}

/**
 * The routes of the running build; in development those currently in `app/`.
 * @param {string} root of the project
 * @param {boolean} isDevelopment
 * @returns {RouteManifest}
 */
export function readManifest(root, isDevelopment) {
  if (isDevelopment) return scanRoutes(root);
  return JSON.parse(readFileSync(path.join(root, MANIFEST), "utf8"));
}
