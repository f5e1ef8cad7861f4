import type { Seal } from "@/lib/server/upstream/seal";
import type { Control } from "./database";
import { connectionSeals } from "./instance";

/** A connection, as the database holds it. */
export type StoredConnection = {
  company: string;
  isPaused: boolean;
  isRemoved: boolean;
  /** Null: it can't be opened, or was removed. */
  secret: string | null;
  /** Encrypts another secret of it. */
  seal: Seal;
};

/** In the order of their companies. */
export async function readStoredConnections(
  control: Pick<Control, "rows">,
): Promise<StoredConnection[]> {
  const rows = await control.rows<{
    company: string;
    isPaused: boolean;
    isRemoved: boolean;
    baseUrl: string;
    clientId: string;
    sealed: string | null;
  }>(
    `select company, paused_at is not null as "isPaused", removed_at is not null as "isRemoved",
       base_url as "baseUrl", client_id as "clientId", sealed
     from connections order by company`,
  );
  return rows.map(({ sealed, baseUrl, clientId, ...stored }) => {
    const seal = connectionSeals()({ baseUrl, clientId });
    return { ...stored, secret: sealed === null ? null : seal.open(sealed), seal };
  });
}
