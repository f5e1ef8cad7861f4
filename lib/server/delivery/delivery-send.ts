import type { Database } from "@/lib/server/store/database";
import { readChannel } from "@/lib/server/store/delivery/channels";
import type { DeliveryRow } from "@/lib/server/store/delivery/outbox";
import { readAddressee } from "@/lib/server/store/delivery/rules";
import { narrowed } from "@/lib/domain/words/messages/several-message";
import { openSettings, type ChannelSeal } from "./channel-settings";
import type { Grantee } from "@/lib/server/store/people/grantee";
import type { SendToChannel } from "./send-to-channel";
import { NO_ACCESS, REMOVED, UNREADABLE } from "./words";
import { failed, type Sent, type ThreadHead } from "./sent";

/** Sends outbox messages to their destinations with current settings; never rejects. */
export function createDeliverySend({
  database,
  seal,
  sendToChannel,
  mayRead,
}: {
  database: Pick<Database, "orm">;
  seal: ChannelSeal;
  sendToChannel: SendToChannel;
  mayRead: (holder: Grantee, company: string) => boolean;
}): (row: DeliveryRow, thread: ThreadHead) => Promise<Sent> {
  return async (delivery, thread) => {
    const { to, channelId, personId, message } = delivery;
    if (to === "mail") {
      const found = personId === null ? null : await readAddressee(database.orm, personId);
      const own =
        found === null ? null : narrowed(delivery, (company) => mayRead(found.holder, company));
      if (found === null || own === null) return failed(NO_ACCESS, true);
      const channel = { kind: "email", settings: { to: [found.email] } } as const;
      return sendToChannel(channel, own, thread);
    }
    const row = channelId === null ? null : await readChannel(database.orm, channelId);
    if (row === null) return failed(REMOVED, true);
    const channel = openSettings(seal, row);
    if (channel === null) return failed(UNREADABLE, true);
    // Settings that changed since the reference was read may be those of another place.
    const current = thread.sealed === row.sealed ? thread : { ...thread, reference: null };
    return { ...(await sendToChannel(channel, message, current)), sealed: row.sealed };
  };
}
