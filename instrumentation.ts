/** Next calls this once, before the first request. Only a process that serves starts the runtime. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startRuntime } = await import("@/lib/server/runtime/start-runtime");
  const { HOT_ROUTES: hotRoutes } = await import("@/lib/server/gate/hot-routes");
  const { respondToUnrouted, refuseUnauthorized } = await import("@/lib/server/gate/unrouted");
  const { visitPage } = await import("@/lib/server/gate/page-visit");
  const demo = await import("@/lib/server/operations/demo/populate-demo");
  const populateDemo = { start: demo.populateDemo, files: demo.populateDemoFiles };
  const { pressButton: pressSlackButton } =
    await import("@/lib/server/operations/slack/press-button");
  await startRuntime({
    hotRoutes,
    refuseUnauthorized,
    respondToUnrouted,
    visitPage,
    populateDemo,
    pressSlackButton,
  });
}
