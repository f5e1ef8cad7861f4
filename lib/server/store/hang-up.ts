import type { Client } from "pg";

/** A stalled connection never completes a clean close. */
const GOODBYE_MS = 1_000;

/** Closes a connection, forcibly if the server doesn't respond. Never throws. */
export async function hangUp(client: Client): Promise<void> {
  // The types omit `connection`.
  const { connection } = client as Client & { connection: { stream: { destroy(): void } } };
  const timer = setTimeout(() => connection.stream.destroy(), GOODBYE_MS);
  await client.end().catch(() => {});
  clearTimeout(timer);
}
