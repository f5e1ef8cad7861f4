import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Preloaded into a measured server: tells whoever started it what it has used, when asked.
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
process.on("message", (message) => {
  if (message === "collect garbage") collectGarbage();
  if (message !== "usage") return;
  const { user, system } = process.cpuUsage();
  process.send?.({
    cpuMs: (user + system) / 1000,
    residentBytes: process.memoryUsage.rss(),
    loopDelayP99Ms: delay.percentile(99) / 1e6,
  });
  delay.reset();
});
// Listening alone must not keep the server alive.
process.channel?.unref();

/** Only who asks for it pays for the way to it. */
function collectGarbage() {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
