import type { SyncStatusView } from "@/lib/contracts/dashboard";
import { isFailure } from "@/lib/contracts/failure";
import type { WallView } from "@/lib/contracts/wall";
import { getRuntime } from "@/lib/server/running";
import { firstView } from "./first-view";
import { requireWall } from "./require-wall";

/** What a wall's page draws before it asks by itself. */
type FirstWall = {
  /** `away`: the database is, and memory does not know this screen. The page goes on asking. */
  access:
    | { state: "open" }
    | { state: "away" }
    | { state: "ended"; sentence: string; isPaused: boolean };
  /** Names nothing unless open. */
  wall: WallView;
  companies: { slug: string; name: string; view: SyncStatusView | null }[];
  only: string | null;
  /** Our clock, epoch milliseconds. */
  atMs: number;
};

/**
 * The wall of whoever looks, with the snapshots that its JSON would give now; who may not look is sent to
 * `/pair`, as `requireWall` does it.
 * @param only slug of the one company that the address names; null: all that the principal may see
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
  const { view: wall } = looked;
  return {
    access: { state: "open" },
    wall,
    companies: wall.companies.map(({ slug, name }) => ({ slug, name, view: firstView(slug).view })),
    only,
    atMs: clock.nowMs(),
  };
}
