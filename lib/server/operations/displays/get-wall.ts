import type { WallView } from "@/lib/contracts/wall";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import type { PlainAnswer } from "@/lib/server/http/answer";
import type { Soon } from "@/lib/server/soon";
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

/** What somebody's wall shows, by who looks: whoever they are, they are read anew every few seconds. */
const ready = new WeakMap<object, PlainAnswer>();

/** Answers `GET /api/wall`; once a day it carries a screen's next credential. */
export function getWall(
  runtime: Runtime & Pick<AuthRuntime, "auth" | "evidence">,
  looker: WallLooker,
): Soon<PlainAnswer> {
  if (looker.display === null) return readyFor(runtime, looker, looker.person);
  const { display } = looker;
  const answer = readyFor(runtime, looker, display);
  const renewed = runtime.auth.displays.renew(display);
  if (renewed === null) return answer;
  return renewed.then(
    (cookie) =>
      cookie === null
        ? answer
        : { ...answer, headers: { ...answer.headers, "set-cookie": cookie } },
    (error: unknown) => {
      // The one it has goes on working; the next minute tries again.
      runtime.evidence.failed("credential_unrenewed", error, null);
      return answer;
    },
  );
}

function readyFor(runtime: Runtime, looker: WallLooker, who: object): PlainAnswer {
  const before = ready.get(who);
  if (before !== undefined) return before;
  const body = JSON.stringify(wallView(runtime, looker));
  const answer = { status: 200, headers: { "content-type": "application/json" }, body };
  ready.set(who, answer);
  return answer;
}
