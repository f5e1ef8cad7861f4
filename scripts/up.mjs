// `npm run up`: from a fresh clone to a running Plumbline. Installs and builds only what changed.
import { buildOnce } from "./build-once.mjs";
import { install, requireNode } from "./steps.mjs";

requireNode();
if (!install() || !buildOnce()) process.exit(1);

// In this very process: one fewer between a signal and the server.
Reflect.set(process.env, "NODE_ENV", "production");
await import("../server.mjs");
