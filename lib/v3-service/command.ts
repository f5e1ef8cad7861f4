import { parseArgs } from "node:util";
import { SCOPES, type Scope } from "@/lib/contracts/v3";
import type { Database } from "@/lib/server/store/database";
import { rotateSigningKey, type KeySeal } from "./signing-keys";
import { createClient, type Client, listClients, revokeClient } from "./clients";

export const USAGE = `usage:
  npm run v3 -- clients create --company ID --name NAME [--scopes "SCOPE SCOPE ..."]
  npm run v3 -- clients list
  npm run v3 -- clients revoke CLIENT_ID
  npm run v3 -- keys rotate    (a new key signs from now on; the old one verifies until its tokens have expired)

scopes: ${SCOPES.join(", ")} (default: all)`;

/** An invalid command, with a message for the person who entered it. */
export class CommandError extends Error {}

export type Command =
  | { verb: "create"; companyId: number; name: string; scopes: Scope[] }
  | { verb: "list" }
  | { verb: "revoke"; clientId: string }
  | { verb: "rotate" };

/**
 * Parses the arguments after `npm run v3 --`.
 * @throws CommandError for anything but the commands of `USAGE`
 */
export function parseCommand(words: readonly string[]): Command {
  const { values, positionals } = readWords(words);
  const [group, verb, clientId, ...rest] = positionals;
  const hasOptions = Object.keys(values).length > 0;
  if (group === "keys" && verb === "rotate" && clientId === undefined && !hasOptions) {
    return { verb };
  }
  if (group !== "clients" || rest.length > 0) throw new CommandError(USAGE);
  if (verb === "create" && clientId === undefined) {
    const companyId = /^\d+$/.test(values.company ?? "") ? Number(values.company) : NaN;
    if (!Number.isSafeInteger(companyId)) {
      throw new CommandError("--company must be the id of a company, a whole number");
    }
    if (!values.name) throw new CommandError("--name must say what the client is for");
    return { verb, companyId, name: values.name, scopes: readScopes(values.scopes) };
  }
  if (verb === "list" && clientId === undefined && !hasOptions) return { verb };
  if (verb === "revoke" && clientId !== undefined && !hasOptions) return { verb, clientId };
  throw new CommandError(USAGE);
}

/**
 * Runs a command.
 * @returns the lines to print; those of `create` include the secret, which is never shown again
 * @throws CommandError if the company or client doesn't exist
 */
export async function runCommand(
  database: Database,
  command: Command,
  { keySeal, nowMs }: { keySeal: KeySeal; nowMs: number },
): Promise<string[]> {
  if (command.verb === "rotate") {
    const { kid, overlapSeconds } = await rotateSigningKey(database, keySeal, nowMs);
    const until = new Date(nowMs + overlapSeconds * 1000).toISOString();
    return [`new key: ${kid}`, `Tokens that earlier keys signed are good until ${until} at most.`];
  }
  if (command.verb === "create") {
    const created = await createClient(database, command, nowMs);
    if (!created) throw new CommandError(`there is no company ${command.companyId}`);
    return [`client_id: ${created.clientId}`, `client_secret: ${created.clientSecret}`];
  }
  if (command.verb === "revoke") {
    const revoked = await revokeClient(database, command.clientId, nowMs);
    if (!revoked) throw new CommandError("no such client, or it was already revoked");
    return [`revoked: ${command.clientId}`];
  }
  return (await listClients(database)).map(describeClient);
}

function describeClient(client: Client): string {
  return [
    client.clientId,
    `company ${client.companyId}`,
    // Columns are separated by tabs.
    client.name.replaceAll("\t", " "),
    client.scopes.join(" "),
    client.revokedAt ? `revoked ${client.revokedAt.toISOString()}` : "in use",
  ].join("\t");
}

function readWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        company: { type: "string" },
        name: { type: "string" },
        scopes: { type: "string" },
      },
    });
  } catch {
    throw new CommandError(USAGE);
  }
}

function readScopes(text: string | undefined): Scope[] {
  if (text === undefined) return [...SCOPES];
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const unknown = words.filter((word) => !SCOPES.some((scope) => scope === word));
  if (words.length === 0 || unknown.length > 0) {
    throw new CommandError(`--scopes knows ${SCOPES.join(", ")}; not: ${unknown.join(", ")}`);
  }
  return SCOPES.filter((scope) => words.includes(scope));
}
