import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Preloaded into a measured server: reports its resource usage to its parent process on request.
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const worst = { residentBytes: 0, turnCpuMs: 0 };
let lookedCpuMs = 0;
process.on("message", (message) => {
  if (message === "collect garbage") collectGarbage();
  // Only on request, because it would affect other measurements.
  if (message === "watch closely") setInterval(look, 5).unref();
  if (message !== "usage") return;
  look();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({
    cpuMs: lookedCpuMs,
    residentBytes: rss,
    heapBytes: heapUsed,
    externalBytes: external,
    worst: { ...worst },
    loopDelayP99Ms: delay.percentile(99) / 1e6,
  });
  delay.reset();
  worst.residentBytes = 0;
  worst.turnCpuMs = 0;
});
// The listener alone must not keep the server alive.
process.channel?.unref();

function look() {
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1000;
  worst.turnCpuMs = Math.max(worst.turnCpuMs, cpuMs - lookedCpuMs);
  worst.residentBytes = Math.max(worst.residentBytes, process.memoryUsage.rss());
  lookedCpuMs = cpuMs;
}

/** Lazy, so that only measurements that need it pay for the setup. */
function collectGarbage() {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
