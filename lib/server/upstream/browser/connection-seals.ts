import type { AuthSecrets } from "@/lib/server/keys";
import { createSeal, type Seal } from "@/lib/server/upstream/seal";

/**
 * The seals of client secrets that were entered in a browser. A secret sealed for one base URL and client can't be
 * opened for another, so it is never sent to another host, even if its row was altered.
 */
export type ConnectionSeals = (of: { baseUrl: string; clientId: string }) => Seal;

export function createConnectionSeals(secrets: AuthSecrets): ConnectionSeals {
  return ({ baseUrl, clientId }) =>
    createSeal(secrets, { origin: baseUrl, clientId, clientSecret: "" }, "connection secrets");
}
