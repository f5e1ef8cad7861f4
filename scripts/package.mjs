// `npm run package`: from a fresh clone to the archive that an operator installs, in `dist`.
import path from "node:path";
import { buildOnce } from "./build-once.mjs";
import { install, requireNode, root } from "./steps.mjs";

requireNode();
if (!install() || !buildOnce()) process.exit(1);

// Packs with what has just been installed.
const { pack } = await import("./pack.mjs");
const archive = await pack(path.join(root, "dist"));
process.stdout.write(`${path.relative(process.cwd(), archive)}\n`);
