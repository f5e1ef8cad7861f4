import { within } from "@/lib/server/waiting";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import type { Auth } from "@/lib/server/auth/auth";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import type { Recording } from "@/lib/server/recording";
import type { Snapshots } from "@/lib/server/collector/snapshots";

type HealthRuntime = {
  clock: Clock;
  auth: Pick<Auth, "time">;
  securityLog: SecurityLog;
  snapshots: Pick<Snapshots, "ageMs">;
  recording: Pick<Recording, "stopped">;
  connections: readonly { company: string }[];
};

const DATABASE_DEADLINE_MS = 1_000;
const HEADERS = { "cache-control": "no-store" };

const LIVE: PlainResponse = {
  status: 200,
  headers: { "content-type": "application/json", ...HEADERS },
  body: JSON.stringify({ status: "ok" }),
};

/** Whether the process responds at all; depends on nothing else. */
export function getLiveness(): PlainResponse {
  return LIVE;
}

/**
 * Readiness: 200 when the database responds within a second, else 503. An unreachable upstream does
 * not make the instance unready; its age is reported instead. Company names are left out, because
 * the endpoint is public.
 */
export async function getReadiness(runtime: HealthRuntime): Promise<Response> {
  const database = await databaseAnswers(runtime);
  const ages = runtime.connections.map(({ company }) => runtime.snapshots.ageMs(company));
  const known = ages.filter((age) => age !== null);
  return Response.json(
    {
      status: database ? "ok" : "unavailable",
      database: database ? "ok" : "unreachable",
      /** `disagree`: our clock and PostgreSQL's differ by more than five minutes. */
      clocks: runtime.auth.time.differs() ? "disagree" : "ok",
      /** Otherwise the reason why recording has stopped: one of `STOPPED_REASONS`. */
      recording: runtime.recording.stopped()?.reason ?? "ok",
      snapshots: {
        companies: ages.length,
        missing: ages.length - known.length,
        /** Null before the first snapshot. */
        oldest_age_seconds: known.length === 0 ? null : Math.round(Math.max(...known) / 1000),
      },
    },
    { status: database ? 200 : 503, headers: HEADERS },
  );
}

async function databaseAnswers({ clock, auth, securityLog }: HealthRuntime): Promise<boolean> {
  try {
    await within(clock, DATABASE_DEADLINE_MS, auth.time.read(), () => {
      throw new Error("the database took more than a second to answer");
    });
    return true;
  } catch (error) {
    securityLog.failed("database_silent", error, null);
    return false;
  }
}
