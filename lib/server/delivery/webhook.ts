import { createHmac, randomBytes } from "node:crypto";
import type { Message } from "@/lib/domain/delivery/message";
import type { Http } from "@/lib/server/upstream/http";
import { postJson, sentBy, type Sent } from "./sent";

const PREFIX = "whsec_";

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/**
 * Sends the message as JSON, without the parts that its text is made of, signed according to Standard Webhooks.
 * @param nowMs our clock, epoch milliseconds
 */
export async function sendToWebhook(
  send: Http["send"],
  { url, secret }: { url: string; secret: string },
  message: Message,
  nowMs: number,
): Promise<Sent> {
  const { content: _, several: __, ...given } = message;
  const body = JSON.stringify(given);
  const timestamp = String(Math.floor(nowMs / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  const signature = createHmac("sha256", key)
    .update(`${message.id}.${timestamp}.${body}`)
    .digest("base64");
  const answer = await postJson(send, url, body, {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  });
  return sentBy(answer);
}
