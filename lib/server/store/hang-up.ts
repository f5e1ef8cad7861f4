import type { Client } from "pg";

/** A connection that stands still does not say goodbye. */
const GOODBYE_MS = 1_000;

/** Ends a connection, with or without an answer. Never throws. */
export async function hangUp(client: Client): Promise<void> {
  // The types leave the connection out.
  const { connection } = client as Client & { connection: { stream: { destroy(): void } } };
  const timer = setTimeout(() => connection.stream.destroy(), GOODBYE_MS);
  await client.end().catch(() => {});
  clearTimeout(timer);
}
