import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Scope, ServedScheduleFile, ServedSyncStatus } from "@/lib/contracts/v3";
import type { Fault, FaultOptions } from "./fault";
import type { MisbehavingUpstream } from "./misbehaving-upstream";
import { sampleRows } from "./sample-rows";

/** The body of `POST /__control`; each given property is applied. */
export type Command = {
  /** Null ends the current one. */
  fault?: Fault | null;
  options?: FaultOptions;
  rows?: ServedSyncStatus[];
  /** Replaces the rows by this many on-time ones. */
  endpoints?: number;
  files?: ServedScheduleFile[];
  scopes?: Scope[];
  revokeTokens?: boolean;
};

/**
 * Lets other processes control an upstream: `POST /__control` takes a `Command`, `GET /__control`
 * returns `{ requests, redirected, tokensIssued }`. It has its own port, so that it is reachable
 * while the upstream is down.
 */
export async function startControl(
  upstream: MisbehavingUpstream,
  port = 0,
): Promise<{ controlUrl: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request) text += String(chunk);
      if (request.method === "POST") await obey(upstream, JSON.parse(text) as Command);
      const { requests, redirected } = upstream;
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ requests, redirected, tokensIssued: upstream.tokensIssued() }));
    })().catch((error: unknown) => {
      response.writeHead(400, { "Content-Type": "text/plain" });
      response.end(String(error));
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    controlUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/__control`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function obey(upstream: MisbehavingUpstream, command: Command): Promise<void> {
  if (command.rows !== undefined) upstream.setRows(command.rows);
  if (command.endpoints !== undefined) upstream.setRows(sampleRows(command.endpoints, Date.now()));
  if (command.files !== undefined) upstream.setFiles(command.files);
  if (command.scopes !== undefined) upstream.setScopes(command.scopes);
  if (command.revokeTokens === true) upstream.revokeTokens();
  if (command.fault !== undefined) await upstream.setFault(command.fault, command.options);
}
