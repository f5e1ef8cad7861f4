import type { SyncStatusView } from "@/lib/contracts/dashboard";
import { isFailure } from "@/lib/contracts/failure";
import type { WallIncidentsView, WallView } from "@/lib/contracts/wall";
import type { WallPrincipal } from "@/lib/server/auth/wall-principal";
import { wallIncidentsOf } from "@/lib/server/operations/displays/get-wall-incidents";
import { getRuntime } from "@/lib/server/running";
import { firstView } from "./first-view";
import { requireWall } from "./require-wall";

/** Data of a wall page's first render. */
type FirstWall = {
  /** `away`: the database is unavailable, and this screen isn't cached. The page retries. */
  access:
    | { state: "open" }
    | { state: "away" }
    | { state: "ended"; sentence: string; isPaused: boolean };
  /** Empty unless open. */
  wall: WallView;
  companies: {
    slug: string;
    name: string;
    view: SyncStatusView | null;
    /** Null: the database is unavailable. */
    incidents: WallIncidentsView | null;
  }[];
  only: string | null;
  /** Our clock, epoch milliseconds. */
  atMs: number;
};

/**
 * The wall of a display or person, with the snapshots that its API would return now; others are
 * redirected to `/pair` by `requireWall`.
 * @param only slug of the one company in the address; null: all that the principal may see
 */
export async function firstWall(only: string | null): Promise<FirstWall> {
  const { build, clock } = getRuntime();
  const closed = (access: FirstWall["access"]): FirstWall => ({
    access,
    wall: { display: null, companies: [], build, reload_requested_at: null },
    companies: [],
    only,
    atMs: clock.nowMs(),
  });
  const looked = await requireWall(only).catch((error: unknown) => {
    if (isFailure(error) && error.code === "unavailable") return null;
    throw error;
  });
  if (looked === null) return closed({ state: "away" });
  if (looked.state === "ended") return closed(looked);
  const { view: wall, principal } = looked;
  const incidents = await firstIncidents(
    principal,
    wall.companies.map(({ slug }) => slug),
  );
  return {
    access: { state: "open" },
    wall,
    companies: wall.companies.map(({ slug, name }) => ({
      slug,
      name,
      view: firstView(slug).view,
      incidents: incidents.get(slug) ?? null,
    })),
    only,
    atMs: clock.nowMs(),
  };
}

async function firstIncidents(
  principal: WallPrincipal,
  companies: readonly string[],
): Promise<ReadonlyMap<string, WallIncidentsView>> {
  try {
    return await wallIncidentsOf(getRuntime(), principal, companies);
  } catch {
    return new Map();
  }
}
