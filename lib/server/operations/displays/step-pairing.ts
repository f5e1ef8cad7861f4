import type { PairingView } from "@/lib/contracts/wall";
import { isFailure } from "@/lib/contracts/failure";
import { clientAddress } from "@/lib/server/http/front-headers";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { startPairing, type PairingRuntime } from "./start-pairing";
import { getPairing } from "./get-pairing";

/** Where `/pair` knows that this was done, so that it does not ask for it again. */
const STEPPED = "/pair?step=done";

/**
 * What a waiting screen's scripts do, for one without: looks how its pairing stands, begins one where there is
 * none, and leads on to the page that shows it: `GET /pair/step`. Pages cannot set cookies, so this is an
 * address of its own. It always leads on: a screen has nobody who could go back.
 */
export async function stepPairing(
  runtime: PairingRuntime,
  request: Pick<HttpRequest, "headers" | "method" | "url">,
): Promise<Response> {
  const { headers } = request;
  // Only a page that somebody sees: no picture or frame of another site may use up codes.
  if (!["document", null].includes(headers.get("sec-fetch-dest"))) return seeOther(STEPPED);
  try {
    const asked = await getPairing(runtime, { headers });
    const { state } = (await asked.json()) as PairingView;
    if (state !== "ended") {
      return seeOther(state === "paired" ? "/wall" : STEPPED, asked.headers.getSetCookie());
    }
    const begun = await startPairing(runtime, { address: clientAddress(headers) });
    return seeOther(STEPPED, begun.headers.getSetCookie());
  } catch (error) {
    // A limit that was hit is noted already.
    if (!isFailure(error)) runtime.securityLog.failed("request_unanswered", error, request);
    return seeOther(STEPPED);
  }
}

function seeOther(path: string, setCookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: path });
  for (const cookie of setCookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}
