import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import * as assistantRoute from "@/app/api/mcp/route";
import { createProgram } from "@/lib/server/gate/token-fixture";
import type { IncidentsApp } from "@/lib/server/operations/incidents/incidents-fixture";

/** Serves `POST /api/mcp` on a port of 127.0.0.1 until the test has finished. @returns its address */
export async function serveAssistants(app: IncidentsApp): Promise<URL> {
  const server = createServer((request, response) => {
    // As the front answers a method without a handler: the client asks whether there is a stream.
    if (request.method !== "POST") return void response.writeHead(405).end();
    void (async () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const body = await text(request);
      const program = createProgram(app.runtime, "");
      const sent = { method: "POST", headers, body: JSON.parse(body) as unknown };
      const answer = await program.send(assistantRoute.POST, "/api/mcp", sent);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/mcp`);
}

/** The SDK's own client, connected with a token. Keeps the bodies of all responses in `bodies`. */
export async function connectAssistant(address: URL, token: string) {
  const bodies: string[] = [];
  const client = new Client({ name: "a test", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(address, {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        bodies.push(await answer.clone().text());
        return answer;
      },
    }),
  );
  onTestFinished(() => client.close());
  return {
    client,
    bodies,
    /** Calls a tool. @returns its JSON value; `isError`: it is an error */
    async call(name: string, given: Record<string, unknown> = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: given });
      const [first, ...others] = content as { type: string; text: string }[];
      if (first?.type !== "text" || others.length > 0) throw new Error("not one text");
      return { isError, value: JSON.parse(first.text) as Record<string, unknown> };
    },
  };
}
