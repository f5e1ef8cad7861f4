// `npm run up`: from a fresh clone to a running Plumbline. Installs and builds only what has changed.
import { buildOnce } from "./build-once.mjs";
import { install, refuseArguments, requireNode } from "./steps.mjs";

requireNode();
refuseArguments();
if (!install() || !buildOnce()) process.exit(1);

// In this process, so that signals reach the server directly.
Reflect.set(process.env, "NODE_ENV", "production");
await import("../server.mjs");
