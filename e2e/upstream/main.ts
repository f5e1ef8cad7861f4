import { parseArgs } from "node:util";
import { startControl } from "./control";
import { startMisbehavingUpstream } from "./misbehaving-upstream";
import { sampleRows } from "./sample-rows";

/**
 * Runs the misbehaving upstream as its own process:
 * `npx tsx e2e/upstream/main.ts [--port 4010] [--control-port 4011] [--endpoints 12]`. Prints one
 * JSON line when ready: `{ baseUrl, controlUrl, clientId, clientSecret }`.
 */
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    "control-port": { type: "string", default: "0" },
    endpoints: { type: "string", default: "12" },
  },
});
const upstream = await startMisbehavingUpstream({
  port: Number(values.port),
  rows: sampleRows(Number(values.endpoints), Date.now()),
});
const control = await startControl(upstream, Number(values["control-port"]));
const { baseUrl, clientId, clientSecret } = upstream;
process.stdout.write(
  `${JSON.stringify({ baseUrl, controlUrl: control.controlUrl, clientId, clientSecret })}\n`,
);
process.once("SIGTERM", () => {
  void Promise.all([upstream.close(), control.close()]).then(() => process.exit(0));
});
