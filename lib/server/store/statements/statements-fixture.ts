import type { PoolClient } from "pg";
import type { Database } from "@/lib/server/store/database";

/** A statement that was sent. `name`: of a prepared one, else empty. */
type Sent = { name: string; text: string };

/**
 * All statements that a database runs from now on, in their order.
 * @param before called before each of them: one of which it throws isn't sent
 */
export function watchStatements(
  { pool }: Pick<Database, "pool">,
  before: (sent: Sent) => void = () => undefined,
): readonly Sent[] {
  const sent: Sent[] = [];
  const watched = new WeakSet<PoolClient>();
  pool.on("acquire", (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      const [first] = given;
      const { name = "", text } =
        typeof first === "string" ? { text: first } : (first as { name?: string; text: string });
      before({ name, text });
      sent.push({ name, text });
      return query(...given);
    }) as typeof client.query;
  });
  return sent;
}
