import type { Database } from "@/lib/server/store/database";
import { readChannel } from "@/lib/server/store/delivery/channels";
import type { DeliveryRow } from "@/lib/server/store/delivery/outbox";
import { readPersonAddress } from "@/lib/server/store/delivery/rules";
import { openSettings, type ChannelSeal } from "./channel-settings";
import type { SendToChannel } from "./send-to-channel";
import { failed, type Sent, type ThreadHead } from "./senders/sent";

/** Sends what the outbox holds to where it is to go, by what is set there now; never rejects. */
export function createDeliverySend({
  database,
  seal,
  sendToChannel,
}: {
  database: Pick<Database, "orm">;
  seal: ChannelSeal;
  sendToChannel: SendToChannel;
}): (row: DeliveryRow, thread: ThreadHead) => Promise<Sent> {
  return async ({ to, channelId, personId, message }, thread) => {
    if (to === "mail") {
      const address = personId === null ? null : await readPersonAddress(database.orm, personId);
      if (address === null) return failed("Nobody with this account may sign in any more.", true);
      const channel = { kind: "email", settings: { to: [address] } } as const;
      return sendToChannel(channel, message, thread);
    }
    const row = channelId === null ? null : await readChannel(database.orm, channelId);
    if (row === null) return failed("The channel was removed.", true);
    const channel = openSettings(seal, row);
    if (channel === null)
      return failed("Its settings can’t be read: AUTH_SECRET has changed since.", true);
    return sendToChannel(channel, message, thread);
  };
}
