import { createHash } from "node:crypto";
import { companyName } from "@/lib/domain/companies/company-name";
import { iso } from "@/lib/domain/time/instant";
import type { Clock } from "@/lib/server/clock";
import { readConnections } from "@/lib/server/store/connections/connections";
import type { Database } from "@/lib/server/store/database";
import { enqueue } from "@/lib/server/store/delivery/outbox";
import { readGrantees, type Grantee } from "@/lib/server/store/people/grantee";
import type { ConnectionSeals } from "@/lib/server/upstream/browser/connection-seals";
import { messageId } from "./compose";
import { unreadableSecret } from "./words";

/**
 * Tells all administrators, in their inbox, which connections have a secret that can't be decrypted. Each is told once
 * for each stored secret, whichever instance finds it, and however often.
 * @returns number of new messages
 */
export async function tellUnreadableSecrets({
  database,
  mayManage,
  seals,
  clock,
  appUrl,
}: {
  database: Database;
  /** Whether a person is one of the administrators to tell. */
  mayManage: (holder: Grantee) => boolean;
  seals: ConnectionSeals;
  clock: Clock;
  appUrl: string;
}): Promise<number> {
  const unreadable = (await readConnections(database)).filter(
    (row) => row.sealed !== null && seals(row).open(row.sealed) === null,
  );
  if (unreadable.length === 0) return 0;
  const administrators = (await readGrantees(database.orm, null)).filter(mayManage);
  const nowMs = clock.nowMs();
  const messages = unreadable.flatMap(({ company, name, externalId, sealed }) => {
    const key = `secret_unreadable:${createHash("sha256")
      .update(sealed ?? "")
      .digest("hex")
      .slice(0, 16)}`;
    return administrators.map((administrator) => {
      const destination = `inbox:${administrator.id}`;
      const id = messageId(destination, company, key);
      return {
        id,
        destination,
        key,
        channelId: null,
        personId: administrator.id,
        to: "inbox" as const,
        toName: administrator.name,
        company,
        about: null,
        incidentId: null,
        thread: `${company}/${key}`,
        type: "company.blind" as const,
        message: {
          id,
          type: "company.blind" as const,
          at: iso(nowMs),
          company: companyName({ slug: company, name, external_id: externalId ?? undefined }),
          incident: null,
          url: `${appUrl}/settings/connections`,
          text: unreadableSecret(name),
        },
        includedIn: null,
        dueMs: nowMs,
      };
    });
  });
  return database.orm.transaction((tx) => enqueue(tx, messages, nowMs));
}
