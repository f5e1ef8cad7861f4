import { companyName, type CompanyName } from "@/lib/domain/companies/company-name";
import type { Auth, AuthRuntime } from "./auth";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { EndedDisplay, PairedDisplay } from "./displays";
import { canSee, type Person } from "./person";

/** Who a wall is shown to: a paired display by its credential, or a person by their session. */
export type WallPrincipal =
  | { display: PairedDisplay; person: null }
  | { display: null; person: Person };

type PrincipalIdentity =
  /** `clientKey`: key for limits on the principal's requests. */
  | ({ state: "open"; isConfirmed: boolean; clientKey: string } & WallPrincipal)
  /** The display's pairing has ended. Applies even if a person is signed in on it. */
  | { state: "ended"; ended: EndedDisplay }
  /** After a restore, until an administrator resumes displays. */
  | { state: "paused" }
  | { state: "anonymous" }
  | { state: "unavailable" };

/**
 * Identifies the principal of a wall: a display credential takes precedence over a session. Never throws.
 * @param isReadOnly see `RevalidatingCache.check`
 * @param address the client address, for the security log
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
        return {
          ...screen,
          state: "open",
          person: null,
          clientKey: displayClientKey(screen.display),
        };
      }
      if (screen.state !== "unknown") return screen;
      return andThen(auth.identify(cookie, isReadOnly, address), (identity): PrincipalIdentity => {
        if (identity.state === "anonymous") return { state: "anonymous" };
        if (identity.state === "unavailable") return identity;
        const { person, isConfirmed, clientKey } = identity;
        return { state: "open", display: null, person, isConfirmed, clientKey };
      });
    },
  );
}

/** Key for limits on a display's requests. */
export function displayClientKey({ id }: Pick<PairedDisplay, "id">): string {
  return `display ${id}`;
}

/** Companies that a display is explicitly set to show and that are no longer connected. */
export function leftOfWall(
  leftCompanies: AuthRuntime["leftCompanies"],
  { display }: WallPrincipal,
): { slug: string; name: string }[] {
  return (display?.settings.companies ?? []).flatMap((company) => {
    const left = leftCompanies.get(company);
    return left === null ? [] : [{ slug: left.slug, name: left.name }];
  });
}

/** The companies on a principal's wall, in the configured order. */
export function shownCompanies(
  connections: AuthRuntime["connections"],
  { display, person }: WallPrincipal,
): CompanyName[] {
  return connections
    .filter(({ company }) =>
      display === null
        ? canSee(person, company)
        : (display.settings.companies?.includes(company) ?? true),
    )
    .map(({ company, name, externalId }) =>
      companyName({ slug: company, name, external_id: externalId }),
    );
}
