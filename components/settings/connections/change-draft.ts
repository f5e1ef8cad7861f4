import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import { isRecord } from "@/lib/client/snapshot";
import type { ConnectionChange, ConnectionView } from "@/lib/contracts/connections";
import type { z } from "zod";
import type { RowAct } from "./change-words";

/** The dialog over the list, stored during a redirect to the identity provider. Never contains a secret. */
export const CONNECTIONS_DIALOG = "connections";

/** What can be done with a connection. Only those made in a browser can be changed here. */
export function actsOf({
  origin,
  paused_at: pausedAt,
  set_aside: aside,
}: Pick<ConnectionView, "origin" | "paused_at" | "set_aside">): readonly RowAct[] {
  if (origin === "browser")
    return ["edit", "secret", pausedAt === null ? "pause" : "resume", "remove"];
  return aside === null ? [] : ["removeAside"];
}

/** What can be changed without the secret; `timeZone`, `owner`: null for the default. */
export type EditDraft = {
  name: string;
  timeZone: string | null;
  owner: string | null;
  externalId: string;
};

export const draftOf = ({ name, time_zone, owner, external_id }: ConnectionView): EditDraft => ({
  name,
  timeZone: time_zone,
  owner: owner?.id ?? null,
  externalId: external_id ?? "",
});

type Change = z.input<typeof ConnectionChange>;

/** The members that differ from the connection. */
export function changeOf(draft: EditDraft, connection: ConnectionView): Change {
  const before = draftOf(connection);
  const name = draft.name.trim();
  const externalId = draft.externalId.trim();
  return {
    ...(name !== before.name && { name }),
    ...(draft.timeZone !== before.timeZone && { time_zone: draft.timeZone }),
    ...(draft.owner !== before.owner && { owner: draft.owner }),
    ...(externalId !== before.externalId && {
      external_id: externalId === "" ? null : externalId,
    }),
  };
}

/** New credentials. */
export type SecretDraft = { baseUrl: string; clientId: string; clientSecret: string };

/** The address and the client only with the secret, and only if they differ. */
export function secretChangeOf(
  { baseUrl, clientId, clientSecret }: SecretDraft,
  connection: Pick<ConnectionView, "base_url" | "client_id">,
): Change {
  return {
    client_secret: clientSecret.trim(),
    ...(baseUrl.trim() !== connection.base_url && { base_url: baseUrl.trim() }),
    ...(clientId.trim() !== connection.client_id && { client_id: clientId.trim() }),
  };
}

/** A dialog to restore. */
export type KeptChange =
  | { dialog: "edit"; slug: string; draft: EditDraft }
  | { dialog: "secret" | "pause" | "resume" | "remove"; slug: string }
  | { dialog: "import" };

export function keptChange(state: KeptChange): ResumableDialog {
  return { kind: CONNECTIONS_DIALOG, state };
}

/** @param state stored in this browser, maybe by another version of the page */
export function isKeptChange(state: unknown): state is KeptChange {
  if (!isRecord(state)) return false;
  const { dialog, slug, draft } = state;
  if (dialog === "import") return true;
  if (typeof slug !== "string") return false;
  if (dialog !== "edit")
    return ["secret", "pause", "resume", "remove"].some((kind) => kind === dialog);
  const isNamed = (value: unknown) => value === null || typeof value === "string";
  return (
    isRecord(draft) &&
    typeof draft["name"] === "string" &&
    typeof draft["externalId"] === "string" &&
    isNamed(draft["timeZone"]) &&
    isNamed(draft["owner"])
  );
}
