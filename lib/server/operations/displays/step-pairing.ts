import type { PairingView } from "@/lib/contracts/wall";
import { isFailure } from "@/lib/contracts/failure";
import { clientAddress } from "@/lib/server/http/front-headers";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { startPairing, type PairingRuntime } from "./start-pairing";
import { getPairing } from "./get-pairing";

/** Tells `/pair` that the step was taken, so that it doesn't redirect here again. */
const STEPPED = "/pair?step=done";

/**
 * Pairing for screens without scripts: reads the pairing, starts one if there is none, and
 * redirects to the page that shows it: `GET /pair/step`. A separate address, because pages can't
 * set cookies. It always redirects: an unattended screen can't go back.
 */
export async function stepPairing(
  runtime: PairingRuntime,
  request: Pick<HttpRequest, "headers" | "method" | "url">,
): Promise<Response> {
  const { headers } = request;
  // Top-level navigations only: images or frames of other sites must not use up codes.
  if (!["document", null].includes(headers.get("sec-fetch-dest"))) return seeOther(STEPPED);
  try {
    const pairing = await getPairing(runtime, { headers });
    const { state } = (await pairing.json()) as PairingView;
    if (state !== "ended") {
      return seeOther(state === "paired" ? "/wall" : STEPPED, pairing.headers.getSetCookie());
    }
    const begun = await startPairing(runtime, { address: clientAddress(headers) });
    return seeOther(STEPPED, begun.headers.getSetCookie());
  } catch (error) {
    // A limit that was hit is logged already.
    if (!isFailure(error)) runtime.securityLog.failed("request_unanswered", error, request);
    return seeOther(STEPPED);
  }
}

function seeOther(path: string, setCookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: path });
  for (const cookie of setCookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}
