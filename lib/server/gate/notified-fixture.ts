import { systemClock } from "@/lib/server/clock";
import { createNotifications } from "@/lib/server/store/notifications";
import type { TestApp, TestRuntime } from "./app-fixture";

/**
 * Notifies an instance of ended sessions, as a running process is.
 * @returns what it was notified of so far: null once it listens, then ids of sessions
 */
export function notifyOfSessions(
  app: Pick<TestApp, "database" | "runtime">,
  instance: TestRuntime,
): { payloads: readonly (string | null)[]; stop: () => Promise<void> } {
  const notifications = createNotifications({
    database: app.database,
    clock: systemClock,
    random: () => 0,
    log: app.runtime.log,
  });
  const payloads: (string | null)[] = [];
  notifications.subscribe("sessions", (payload) => {
    payloads.push(payload);
    instance.auth.sessions.forget(payload === null ? [] : [payload]);
  });
  notifications.start();
  return { payloads, stop: () => notifications.stop() };
}
