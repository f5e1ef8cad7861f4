// `npm run package`: builds the archive for operators from a fresh clone, in `dist`.
import path from "node:path";
import { buildOnce } from "./build-once.mjs";
import { install, refuseArguments, requireNode, root } from "./steps.mjs";

requireNode();
refuseArguments();
if (!install() || !buildOnce()) process.exit(1);

// Imported late, because its libraries were only just installed.
const { pack } = await import("./pack.mjs");
const archive = await pack(path.join(root, "dist"));
process.stdout.write(`${path.relative(process.cwd(), archive)}\n`);
