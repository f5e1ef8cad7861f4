import { UpstreamFailure, type Connection, type Upstream } from "@/lib/server/upstream/upstream";

/** The upstream of a connection that must not send anything: every request fails with the reason. */
export function createRestingUpstream(
  connection: Connection,
  reason: "disconnected" | "secret_unreadable",
): Upstream {
  const refuse = () =>
    Promise.reject(
      new UpstreamFailure(reason, "nothing is sent for this connection", { maybeExecuted: false }),
    );
  return {
    connection,
    prepare: refuse,
    getSyncStatus: refuse,
    listScheduleFiles: refuse,
    getScheduleFile: refuse,
    deleteScheduleFile: refuse,
    isFirstTokenAwaited: () => false,
    grantedScopes: () => null,
    scopes: refuse,
    rateLimit: () => null,
    budget: refuse,
    jobsPerMinute: () => 0,
  };
}
