import { z } from "zod";

/** The JSON of accounts of Slack that a person linked to their own. Instants are ISO 8601, on our clock. */

const SlackNames = {
  /** Names in Slack when it was linked; its ids where they are unknown. */
  workspace: z.string(),
  user: z.string(),
};

export const SlackAccount = z.object({ id: z.uuid(), ...SlackNames, linked_at: z.string() });

/** `GET /api/me/slack`, oldest first. */
export const SlackAccounts = z.object({ data: z.array(SlackAccount) });

/** `POST /api/me/slack`: the secret of a one-time link. `confirm` false: only says whose it is. */
export const SlackLinkRequest = z.strictObject({
  token: z.string().regex(/^[\w-]{43}$/),
  confirm: z.boolean(),
});

/** Its response; `linked`: whether the account is linked now. */
export const SlackLinked = z.object({ ...SlackNames, linked: z.boolean() });

export type SlackAccount = z.infer<typeof SlackAccount>;
export type SlackAccounts = z.infer<typeof SlackAccounts>;
export type SlackLinked = z.infer<typeof SlackLinked>;
