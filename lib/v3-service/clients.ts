import { randomBytes } from "node:crypto";
import { and, asc, eq, isNull } from "drizzle-orm";
import { SCOPES, type Scope } from "@/lib/contracts/v3";
import type { Database } from "@/lib/server/store/database";
import { generateSecret, hashSecret } from "./secrets";
import { clients, companies } from "./store/schema";
import { addClients } from "./store/writer";

export type Client = {
  companyId: number;
  clientId: string;
  name: string;
  scopes: Scope[];
  grantTypes: string[];
  createdAt: Date;
  /** Null while it is active. */
  revokedAt: Date | null;
};

const COLUMNS = {
  companyId: clients.companyId,
  clientId: clients.clientId,
  name: clients.name,
  scopes: clients.scopes,
  grantTypes: clients.grantTypes,
  createdAt: clients.createdAt,
  revokedAt: clients.revokedAt,
};

/** All clients of the service, by company and age. */
export async function listClients(database: Database): Promise<Client[]> {
  return await database.orm
    .select(COLUMNS)
    .from(clients)
    .orderBy(asc(clients.companyId), asc(clients.createdAt), asc(clients.clientId));
}

/** A client with the hash of its secret, even if revoked; null if it doesn't exist. */
export async function findClient(
  database: Database,
  clientId: string,
): Promise<(Client & { secretHash: string }) | null> {
  // PostgreSQL can't store NUL in text, so no client has such an id.
  if (clientId.includes("\0")) return null;
  const [client] = await database.orm
    .select({ ...COLUMNS, secretHash: clients.secretHash })
    .from(clients)
    .where(eq(clients.clientId, clientId));
  return client ?? null;
}

/**
 * Creates a client for an existing company.
 * @returns the client's id and its secret, which isn't stored anywhere; null if the company doesn't exist
 */
export async function createClient(
  database: Database,
  request: { companyId: number; name: string; scopes: readonly Scope[] },
  nowMs: number,
): Promise<{ clientId: string; clientSecret: string } | null> {
  const [company] = await database.orm
    .select({ id: companies.id })
    .from(companies)
    .where(eq(companies.id, request.companyId));
  if (!company) return null;
  const clientId = randomBytes(12).toString("hex");
  const clientSecret = generateSecret();
  await addClients(database.orm, [
    {
      companyId: request.companyId,
      clientId,
      name: request.name,
      secretHash: await hashSecret(clientSecret),
      scopes: SCOPES.filter((scope) => request.scopes.includes(scope)),
      grantTypes: ["client_credentials"],
      createdAtMs: nowMs,
    },
  ]);
  return { clientId, clientSecret };
}

/**
 * Revokes a client: its secret at once, its tokens within seconds.
 * @returns false if it doesn't exist or was already revoked
 */
export async function revokeClient(
  database: Database,
  clientId: string,
  nowMs: number,
): Promise<boolean> {
  const revoked = await database.orm
    .update(clients)
    .set({ revokedAt: new Date(nowMs) })
    .where(and(eq(clients.clientId, clientId), isNull(clients.revokedAt)))
    .returning({ clientId: clients.clientId });
  return revoked.length > 0;
}
