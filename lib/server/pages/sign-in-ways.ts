import { lookedAtClaims } from "@/lib/domain/access-rules";
import { getRuntime } from "@/lib/server/running";

/**
 * Available sign-in methods. `lookedAt`: the claims that rules use. Never waits long for the
 * provider.
 */
export async function signInWays() {
  const { auth } = getRuntime();
  const { provider, access, local } = auth;
  return {
    provider: provider && { name: provider.name, isAnswering: await provider.isAnswering() },
    local: local.who,
    lookedAt: lookedAtClaims(access.rules()),
  };
}
