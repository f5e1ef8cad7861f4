import { randomUUID } from "node:crypto";
import { Failure } from "@/lib/contracts/failure";
import type { Person } from "@/lib/server/auth/person";
import { isUuid } from "@/lib/server/http/query";
import { revokeToken } from "@/lib/server/store/tokens/api-tokens";
import type { TokensRuntime } from "./token-view";
import { NO_TOKEN } from "./words";

type Given = { person: Person; address: string; id: string };

/**
 * Revokes a token of the person: `DELETE /api/me/tokens/[id]`. Takes effect within seconds on every instance.
 * @param given.address the client's true address
 * @throws Failure `not_found`, identical for a missing token and one of another person
 */
export function revokeOwnToken(runtime: TokensRuntime, given: Given): Promise<Response> {
  return revoke(runtime, given, given.person.id);
}

/** Same for the token of any person, and for service tokens: `DELETE /api/tokens/[id]`. */
export function revokeAnyToken(runtime: TokensRuntime, given: Given): Promise<Response> {
  return revoke(runtime, given, null);
}

async function revoke(
  { database, auth, clock, securityLog }: TokensRuntime,
  { person, address, id }: Given,
  personId: string | null,
): Promise<Response> {
  if (!isUuid(id)) throw new Failure("not_found", NO_TOKEN);
  const { ms } = await auth.time.now();
  const { name, email } = person;
  const revoked = await revokeToken(
    database,
    { id, personId, at: new Date(ms) },
    {
      person: { id: person.id, name, email },
      requestId: randomUUID(),
      nowMs: clock.nowMs(),
    },
  );
  if (revoked === null) throw new Failure("not_found", NO_TOKEN);
  // Other instances are notified; here it takes effect before the response.
  auth.tokens.forget(revoked.tokenHash);
  securityLog.record("api_token_revoked", { address, person }, { token: revoked.id });
  return new Response(null, { status: 204 });
}
