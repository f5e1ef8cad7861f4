import type { OAuthConfig } from "next-auth/providers/oauth";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import {
  isProviderDown,
  isProviderRefused,
  NOT_PROVEN_AGAIN,
  ProviderRefused,
} from "@/lib/server/auth/oidc/errors";
import type { ProvenPerson } from "@/lib/server/auth/oidc/tokens";

/** Reason of a failed sign-in, as passed to the sign-in page. */
export type SignInProblem =
  | "ProviderDown"
  | "ProviderRefused"
  | "NotProvenAgain"
  | "SignInExpired"
  | "NoAccess"
  | "Overage"
  | "Disabled"
  | "TooManyAttempts"
  | "Unavailable";

type Named = { id: string; name: string; email: string };

/** Result of a sign-in through the provider; filled in while next-auth runs. */
export type ProviderVisit = {
  problem: SignInProblem | null;
  /** The error, if the problem is ours (`Unavailable`); null otherwise. */
  cause: unknown;
  /** The code was sent to the provider, which accepts it only once. */
  isCodeUsed: boolean;
  /** The admitted person; null: not admitted yet. */
  admitted: { person: Named; proven: ProvenPerson } | null;
};

const REASONS = { no_access: "NoAccess", overage: "Overage", disabled: "Disabled" } as const;

/**
 * The provider configuration for next-auth. next-auth manages state, nonce and code verifier and
 * compares cookies; the requests and the checks of responses are ours, so that nothing from the
 * provider reaches it unchecked.
 * @param endpoints where to redirect people; null: no sign-in now
 * @param visit is filled in
 */
export function providerForNextAuth(
  { auth, securityLog, appUrl }: AuthRuntime,
  {
    endpoints,
    visit,
    address,
    sinceReauthenticationMs,
  }: {
    endpoints: { issuer: string; authorization: string } | null;
    visit: ProviderVisit;
    address: string;
    /** See `Provider.redeem`. */
    sinceReauthenticationMs: number | null;
  },
): OAuthConfig<Record<string, unknown>>[] {
  const { provider } = auth;
  if (provider === null) return [];
  const { clientId, scopes } = provider.config;
  let proven: ProvenPerson | null = null;

  async function redeem(
    params: Readonly<Record<string, unknown>>,
    checks: { state?: string; nonce?: string; code_verifier?: string },
  ): Promise<ProvenPerson> {
    if (provider === null) throw new Error("there is no provider");
    try {
      const { state = "", nonce = "", code_verifier: codeVerifier = "" } = checks;
      if (state === "" || nonce === "" || codeVerifier === "") throw new ProviderRefused("checks");
      const wait = await auth.secondsToWaitAfterProvider(address);
      if (wait !== null) {
        securityLog.record("sign_in_locked", { address }, { limit: "address", by: "oidc" });
        visit.problem = "TooManyAttempts";
        throw new Error("too many attempts");
      }
      visit.isCodeUsed = true;
      const texts = Object.entries(params).filter(([, value]) => typeof value === "string");
      return await provider.redeem(
        `${appUrl}/api/auth/callback/oidc`,
        Object.fromEntries(texts) as Record<string, string>,
        { state, nonce, codeVerifier, sinceReauthenticationMs },
      );
    } catch (error) {
      if (isProviderDown(error)) {
        visit.problem = "ProviderDown";
        securityLog.failed("provider_silent", error, null);
      } else if (isProviderRefused(error)) {
        visit.problem = error.why === NOT_PROVEN_AGAIN ? "NotProvenAgain" : "ProviderRefused";
        securityLog.record("provider_refused", { address }, { why: error.why });
      } else if (visit.problem === null) {
        Object.assign(visit, { problem: "Unavailable", cause: error });
      }
      throw error;
    }
  }

  async function admit(by: ProvenPerson): Promise<void> {
    if (provider === null) return;
    try {
      const admission = await auth.signInWithProvider.admit(provider.issuer, by);
      if (admission.ok) {
        await auth.uncountAfterProvider(address);
        visit.admitted = { person: admission.person, proven: by };
        return;
      }
      const { reason, person } = admission;
      visit.problem = REASONS[reason];
      securityLog.record("sign_in_refused", { address, person }, { by: "oidc", reason });
    } catch (error) {
      Object.assign(visit, { problem: "Unavailable", cause: error });
      throw error;
    }
  }

  return [
    {
      id: "oidc",
      name: provider.name,
      type: "oauth",
      issuer: endpoints?.issuer ?? provider.issuer,
      clientId,
      // It sends no request to the provider, so it needs no secret.
      client: { token_endpoint_auth_method: "none" },
      authorization: {
        url: endpoints?.authorization ?? provider.issuer,
        params: { scope: scopes },
      },
      token: {
        async request({ params, checks }) {
          proven = await redeem(params, checks);
          await admit(proven);
          if (visit.admitted === null) throw new Error("sign-in was refused");
          return { tokens: {} };
        },
      },
      userinfo: {
        request: () => ({ sub: proven?.subject ?? "" }),
      },
      checks: ["pkce", "state", "nonce"],
      profile() {
        const person = visit.admitted?.person;
        return { id: person?.id ?? "", name: person?.name ?? "", email: person?.email ?? "" };
      },
    },
  ];
}
