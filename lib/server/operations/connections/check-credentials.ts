import { CheckRequest } from "@/lib/contracts/connections";
import type { Person } from "@/lib/server/auth/person";
import type { StreamedResponse } from "@/lib/server/http/handler-response";
import { requirePrintedPasswordChanged } from "@/lib/server/operations/me/printed-password";
import { probe, takeTurn, type ProbeRuntime } from "./probe";
import { parseRequest } from "./requests";

type CheckRuntime = ProbeRuntime & Parameters<typeof takeTurn>[0];

/**
 * Checks an address and credentials, and saves nothing: `POST /api/connections/check`. One line of JSON per step, sent
 * when it is done; a problem of the API is a failed step.
 * @throws Failure `invalid_request`; `conflict` before the printed password was changed; `too_many_requests`
 */
export async function checkCredentials(
  runtime: CheckRuntime,
  { person, body }: { person: Person; body: unknown },
): Promise<StreamedResponse> {
  const {
    base_url: baseUrl,
    client_id: clientId,
    client_secret,
  } = parseRequest(CheckRequest, body);
  await requirePrintedPasswordChanged(runtime);
  await takeTurn(runtime, person.id);
  return {
    status: 200,
    headers: { "content-type": "application/x-ndjson", "x-accel-buffering": "no" },
    pieces: lines(probe(runtime, { baseUrl, clientId, clientSecret: client_secret })),
  };
}

async function* lines(steps: AsyncIterable<object>): AsyncGenerator<string, void, void> {
  for await (const step of steps) yield `${JSON.stringify(step)}\n`;
}
