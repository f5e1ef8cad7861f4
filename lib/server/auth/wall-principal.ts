import type { Auth, AuthRuntime } from "./auth";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { EndedDisplay, PairedDisplay } from "./displays";
import { canSee, type Person } from "./person";

/** Who may look at a wall: a paired screen by its credential, or a person by their session. */
export type WallPrincipal =
  | { display: PairedDisplay; person: null }
  | { display: null; person: Person };

type PrincipalIdentity =
  /** `asker`: what their requests are counted by. */
  | ({ state: "open"; isConfirmed: boolean; asker: string } & WallPrincipal)
  /** Even where somebody is signed in: what was unpaired shows nothing. */
  | { state: "ended"; ended: EndedDisplay }
  /** After a restore, until an administrator lets displays show again. */
  | { state: "paused" }
  | { state: "nobody" }
  | { state: "unavailable" };

/**
 * Who looks at a wall: the screen's own credential comes first. Never throws.
 * @param isReadOnly see `RevalidatingCache.check`
 * @param address the client's true address, for what is noted
 */
export function identifyPrincipal(
  auth: Auth,
  cookie: (name: string) => string | undefined,
  isReadOnly: boolean,
  address: string,
): MaybePromise<PrincipalIdentity> {
  return andThen(
    auth.displays.identify(cookie, isReadOnly, address),
    (screen): MaybePromise<PrincipalIdentity> => {
      if (screen.state === "known") {
        return { ...screen, state: "open", person: null, asker: displayAsker(screen.display) };
      }
      if (screen.state !== "unknown") return screen;
      return andThen(auth.identify(cookie, isReadOnly, address), (identity): PrincipalIdentity => {
        if (identity.state === "anonymous") return { state: "nobody" };
        if (identity.state === "unavailable") return identity;
        const { person, isConfirmed, asker } = identity;
        return { state: "open", display: null, person, isConfirmed, asker };
      });
    },
  );
}

/** What the requests of a screen are counted by. */
export function displayAsker({ id }: Pick<PairedDisplay, "id">): string {
  return `display ${id}`;
}

/** The companies that a screen is told to show by name and that are connected no more. */
export function leftOfWall(
  leftCompanies: AuthRuntime["leftCompanies"],
  { display }: WallPrincipal,
): { slug: string; name: string }[] {
  return (display?.settings.companies ?? []).flatMap((company) => {
    const left = leftCompanies.get(company);
    return left === null ? [] : [{ slug: left.slug, name: left.name }];
  });
}

/** The companies on somebody's wall, in the order of the configuration. */
export function shownCompanies(
  connections: AuthRuntime["connections"],
  { display, person }: WallPrincipal,
): { slug: string; name: string }[] {
  return connections
    .filter(({ company }) =>
      display === null
        ? canSee(person, company)
        : (display.settings.companies?.includes(company) ?? true),
    )
    .map(({ company, name }) => ({ slug: company, name }));
}
