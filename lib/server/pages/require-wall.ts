import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { WallView } from "@/lib/contracts/wall";
import { Failure } from "@/lib/contracts/failure";
import { getRuntime } from "@/lib/server/running";
import { wallView } from "@/lib/server/operations/displays/get-wall";
import { clientAddress } from "@/lib/server/http/front-headers";
import { DISPLAYS_PAUSED, endedSentence } from "@/lib/server/auth/displays";
import { identifyPrincipal, type WallPrincipal } from "@/lib/server/auth/wall-principal";

/** What a wall page may render. */
type WallAccess =
  | {
      state: "open";
      /** Current data of `GET /api/wall`. `display` is null for a person. */
      view: WallView;
      principal: WallPrincipal;
    }
  /**
   * The screen was paired once. `sentence` says who unpaired it and when, or that displays are
   * paused.
   */
  | { state: "ended"; sentence: string; isPaused: boolean };

/** Once per render. */
const currentPrincipal = cache(async () => {
  const jar = await cookies();
  const address = clientAddress(await headers());
  return identifyPrincipal(getRuntime().auth, (name) => jar.get(name)?.value, true, address);
});

/**
 * The wall of a paired screen or a signed-in person. Others are redirected to `/pair`; no wall ever
 * leads to a login form.
 * @param company slug of the one company in the address; null: all that the principal may see. One
 *   that is missing or not shown on this screen is "not found"
 * @throws Failure `unavailable` when the database is unavailable and the principal isn't cached
 */
export async function requireWall(company: string | null): Promise<WallAccess> {
  const principal = await currentPrincipal();
  if (principal.state === "anonymous") return redirect("/pair");
  if (principal.state === "unavailable") {
    throw new Failure("unavailable", "We can't check displays right now.");
  }
  if (principal.state === "ended")
    return { state: "ended", sentence: endedSentence(principal.ended), isPaused: false };
  if (principal.state === "paused") {
    return { state: "ended", sentence: DISPLAYS_PAUSED, isPaused: true };
  }
  const view = wallView(getRuntime(), principal);
  if (company === null) return { state: "open", view, principal };
  const isThis = ({ slug }: { slug: string }) => slug === company;
  const companies = view.companies.filter(isThis);
  const left = view.left?.filter(isThis) ?? [];
  return companies.length + left.length === 0
    ? notFound()
    : { state: "open", view: { ...view, companies, left }, principal };
}
