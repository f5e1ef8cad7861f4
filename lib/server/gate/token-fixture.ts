import * as ownRoute from "@/app/api/me/tokens/route";
import { toWebResponse } from "@/lib/server/http/handler-response";
import type { RouteHandler } from "@/lib/server/http/handlers";
import type { MadeToken } from "@/lib/contracts/tokens";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import { createBrowser } from "./app-fixture";
import type { NextHandler } from "./route";

type Browser = ReturnType<typeof createBrowser>;

/** Creates a token through the address. @param body overrides a token that reads everything for 90 days */
export const createToken = async (by: Browser, body: object = {}): Promise<MadeToken> =>
  (await (
    await by.send(ownRoute.POST, "/api/me/tokens", {
      body: { name: "Grafana", scope: "read", companies: "all", days: 90, ...body },
    })
  ).json()) as MadeToken;

/** A program that sends a token. */
export function createProgram(
  runtime: AuthRuntime,
  token: string,
  given: { address?: string; cookie?: string } = {},
) {
  const client = createBrowser(runtime, {
    ...(given.address !== undefined && { address: given.address }),
  });
  function request(path: string, { method = "GET", body, headers = {} }: Sent = {}): Request {
    const made = client.request(path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (given.cookie === undefined) made.headers.delete("cookie");
    else made.headers.set("cookie", given.cookie);
    return made;
  }
  return {
    request,
    /** Sends a request to a `route.ts` handler. */
    send: (
      handler: NextHandler,
      path: string,
      { params = {}, ...sent }: Sent & { params?: Record<string, string> } = {},
    ) => handler(request(path, sent), { params: Promise.resolve(params) }),
    /** Sends a request to a handler of the front. */
    ask: async (
      handler: RouteHandler,
      path: string,
      { params = {}, ...sent }: Sent & { params?: Record<string, string> } = {},
    ) => toWebResponse(await handler(request(path, sent), params)),
  };
}

type Sent = { method?: string; body?: unknown; headers?: Record<string, string> };
