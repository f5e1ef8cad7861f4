import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { post, remove } from "@/lib/client/change";
import { isNothing, resource } from "@/lib/client/queries/resource";
import { isRecord } from "@/lib/client/snapshot";
import type { SlackAccounts, SlackLinked } from "@/lib/contracts/me";

const slack = resource("me/slack");

/** The person's linked Slack accounts. */
export const slackQuery = queryOptions({
  queryKey: ["me/slack"],
  queryFn: async ({ signal }) => (await get("/me/slack", isAccounts, signal)).value.data,
});

/** Whose Slack account a one-time link is for. @throws ApiError; 404: it has expired or was used */
export async function whoseSlackLink(token: string): Promise<SlackLinked> {
  return (await post("/me/slack", { token, confirm: false }, isLinked)).value;
}

/** Links it to the person. @throws ApiError; 404: it has expired or was used */
export function linkSlack(client: QueryClient, token: string): Promise<SlackLinked> {
  return slack.changed(client, post("/me/slack", { token, confirm: true }, isLinked));
}

/** @throws ApiError; 404: it isn't linked any more */
export async function unlinkSlack(client: QueryClient, id: string): Promise<void> {
  await slack.changed(client, remove(slack.pathOf(id), isNothing));
}

function isAccounts(body: unknown): body is SlackAccounts {
  return isRecord(body) && Array.isArray(body["data"]);
}

function isLinked(body: unknown): body is SlackLinked {
  return (
    isRecord(body) && typeof body["user"] === "string" && typeof body["workspace"] === "string"
  );
}
