import type { PairingView } from "@/lib/contracts/wall";
import { clientAddress } from "@/lib/server/http/front-headers";
import { parseCookies } from "@/lib/server/auth/cookies";
import { newSecret, secretHash } from "@/lib/server/auth/secret";
import { fetchPairing } from "@/lib/server/store/displays/pairings";
import type { PairingRuntime } from "./start-pairing";
import { userAgentOf } from "./user-agent";

/**
 * State of a screen's pairing: `GET /api/pair`. Once the code was typed, the response carries the
 * screen's credential. A screen without a pairing but with a valid credential counts as paired.
 */
export async function getPairing(
  { database, clock, auth }: PairingRuntime,
  { headers }: { headers: Pick<Headers, "get"> },
): Promise<Response> {
  const { cookies } = auth.displays;
  const jar = parseCookies(headers.get("cookie"));
  const given = jar.get(cookies.pairing.name) ?? "";
  if (given === "") {
    const address = clientAddress(headers);
    const screen = await auth.displays.identify((name) => jar.get(name), true, address);
    return answer({ state: screen.state === "known" ? "paired" : "ended" });
  }
  const [pairingSecret = "", code = ""] = given.split(".");
  const secret = newSecret();
  const { judgedMs } = await auth.time.now();
  const pairing = await fetchPairing(database, {
    secretHash: secretHash(pairingSecret),
    newHash: secretHash(secret),
    userAgent: userAgentOf(headers),
    nowMs: judgedMs,
  });
  if (pairing.state === "waiting" && secretHash(code) === pairing.codeHash) {
    const endsInMs = pairing.expiresAt.getTime() - judgedMs;
    const expiresAt = new Date(clock.nowMs() + endsInMs).toISOString();
    return answer({ state: "waiting", code, expires_at: expiresAt });
  }
  return pairing.state === "paired"
    ? answer({ state: "paired" }, cookies.display.set(secret), cookies.pairing.clear())
    : answer({ state: "ended" }, cookies.pairing.clear());
}

function answer(view: PairingView, ...setCookies: readonly string[]): Response {
  const response = Response.json(view);
  for (const cookie of setCookies) response.headers.append("Set-Cookie", cookie);
  return response;
}
