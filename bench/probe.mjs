// Preloaded into a measured server: tells whoever started it what it has used, when asked.
process.on("message", (message) => {
  if (message !== "usage") return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, residentBytes: process.memoryUsage.rss() });
});
// Listening alone must not keep the server alive.
process.channel?.unref();
