import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

const MODULE = JSON.stringify(new URL("signals.mjs", import.meta.url).href);

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s stops in order", async (signal) => {
  const program = `
    import { onSignal } from ${MODULE};
    onSignal(() => setTimeout(() => process.exit(7), 10));
    setInterval(() => {}, 1000);
    console.log("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  const exited = once(child, "exit");
  await once(child.stdout, "data");
  child.kill(signal);
  expect(await exited).toEqual([7, null]);
});
