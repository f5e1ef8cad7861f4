import type { WallView } from "@/lib/contracts/wall";
import { presentZoneName } from "@/lib/domain/time/present-zone";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import type { MaybePromise } from "@/lib/server/maybe-promise";
import { leftOfWall, shownCompanies, type WallPrincipal } from "@/lib/server/auth/wall-principal";
import { sharedState } from "@/lib/server/shared-state";

type Runtime = Pick<AuthRuntime, "connections" | "leftCompanies"> & { build: string };

/** What a wall shows, for a display or a person: data of `GET /api/wall`. */
export function wallView(runtime: Runtime, principal: WallPrincipal): WallView {
  const { display } = principal;
  const left = leftOfWall(runtime.leftCompanies, principal);
  return {
    display: display === null ? null : displayOf(display),
    companies: shownCompanies(runtime.connections, principal),
    ...(left.length > 0 && { left }),
    build: runtime.build,
    reload_requested_at: display?.reloadRequestedAt?.toISOString() ?? null,
  };
}

function displayOf({
  id,
  settings: { name, place, layout, theme, time_zone, expires_at },
}: NonNullable<WallPrincipal["display"]>): WallView["display"] {
  return { id, name, place, layout, theme, time_zone: presentZoneName(time_zone), expires_at };
}

type Ready = { connections: Runtime["connections"]; left: string; answer: PlainResponse };

/** Answers `GET /api/wall`; once a day the response carries the display's next credential. */
export function getWall(
  runtime: Runtime & Pick<AuthRuntime, "auth" | "securityLog">,
  principal: WallPrincipal,
): MaybePromise<PlainResponse> {
  if (principal.display === null) return readyFor(runtime, principal, principal.person);
  const { display } = principal;
  const answer = readyFor(runtime, principal, display);
  const renewed = runtime.auth.displays.renew(display);
  if (renewed === null) return answer;
  return renewed.then(
    (cookie) =>
      cookie === null
        ? answer
        : { ...answer, headers: { ...answer.headers, "set-cookie": cookie } },
    (error: unknown) => {
      // The current credential stays valid; the next poll tries again.
      runtime.securityLog.failed("credential_unrenewed", error, null);
      return answer;
    },
  );
}

function readyFor(runtime: Runtime, principal: WallPrincipal, who: object): PlainResponse {
  const { connections } = runtime;
  const left = leftOfWall(runtime.leftCompanies, principal)
    .map(({ slug }) => slug)
    .join(" ");
  // Persons and displays are read again every few seconds, as other objects.
  const ready = sharedState(who, "wall", (): { last: Ready | null } => ({ last: null }));
  const before = ready.last;
  if (before?.connections === connections && before.left === left) return before.answer;
  const body = JSON.stringify(wallView(runtime, principal));
  const answer = { status: 200, headers: { "content-type": "application/json" }, body };
  ready.last = { connections, left, answer };
  return answer;
}
