import type { WallView } from "@/lib/contracts/wall";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import type { PlainAnswer } from "@/lib/server/http/answer";
import { shownCompanies, type WallLooker } from "@/lib/server/auth/wall-looker";

type Runtime = Pick<AuthRuntime, "connections"> & { build: string };

/** What a wall shows, for a screen or a person: `GET /api/wall` as data. */
export function wallView(runtime: Runtime, looker: WallLooker): WallView {
  const { display } = looker;
  return {
    display: display === null ? null : displayOf(display),
    companies: shownCompanies(runtime.connections, looker),
    build: runtime.build,
    reload_requested_at: display?.reloadRequestedAt?.toISOString() ?? null,
  };
}

function displayOf({
  id,
  settings: { name, place, layout, theme, time_zone, expires_at },
}: NonNullable<WallLooker["display"]>): WallView["display"] {
  return { id, name, place, layout, theme, time_zone, expires_at };
}

/** Answers `GET /api/wall`; once a day it carries a screen's next credential. */
export async function getWall(
  runtime: Runtime & Pick<AuthRuntime, "auth" | "log">,
  looker: WallLooker,
): Promise<PlainAnswer> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (looker.display !== null) {
    const cookie = await runtime.auth.displays.renew(looker.display).catch((error: unknown) => {
      // The one it has goes on working; the next minute tries again.
      runtime.log.warn({ err: error }, "a display's credential was not renewed");
      return null;
    });
    if (cookie !== null) headers["Set-Cookie"] = cookie;
  }
  return { status: 200, headers, body: JSON.stringify(wallView(runtime, looker)) };
}
