import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { patch, post, remove } from "@/lib/client/change";
import { peoplePath, type PeopleSelection } from "@/lib/client/people-path";
import { isRecord } from "@/lib/client/snapshot";
import type {
  Invitation,
  Invited,
  PasswordLink,
  PeopleView,
  PersonChange,
} from "@/lib/contracts/people";

const EVERY_MS = 30_000;
/** Longer than the server's timeout for sending a mail. */
const MAILING_MS = 20_000;

/** One page of all people. The previous page remains while another one loads. */
export const peopleQuery = (selection: PeopleSelection) => {
  const path = peoplePath(selection);
  return queryOptions({
    queryKey: ["people", path],
    queryFn: async ({ signal }) => (await get(path, isPeopleView, signal)).value,
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
};

/** @throws ApiError; 409 if the address already has an account */
export function invitePerson(client: QueryClient, invitation: Invitation): Promise<Invited> {
  return andRead(client, post("/people", invitation, isInvited, undefined, MAILING_MS));
}

/** @throws ApiError; 409 if no other person could manage people */
export function changePerson(
  client: QueryClient,
  id: string,
  change: PersonChange,
): Promise<unknown> {
  return andRead(client, patch(pathOf(id), change, isRecord));
}

/** @throws ApiError */
export function makeLink(client: QueryClient, id: string): Promise<PasswordLink> {
  return andRead(client, post(`${pathOf(id)}/reset`, {}, isLink, undefined, MAILING_MS));
}

/** @throws ApiError */
export function endSessions(client: QueryClient, id: string): Promise<unknown> {
  return andRead(client, remove(`${pathOf(id)}/sessions`, isRecord));
}

/** Awaits a change, then reloads the list, whether or not the change succeeded. */
async function andRead<T>(client: QueryClient, change: Promise<{ value: T }>): Promise<T> {
  try {
    return (await change).value;
  } finally {
    await client.invalidateQueries({ queryKey: ["people"] });
  }
}

function isPeopleView(body: unknown): body is PeopleView {
  return isRecord(body) && Array.isArray(body["data"]) && isRecord(body["counts"]);
}

function isInvited(body: unknown): body is Invited {
  return isRecord(body) && isLink(body["invitation"]);
}

function isLink(body: unknown): body is PasswordLink {
  return isRecord(body) && typeof body["url"] === "string";
}

function pathOf(id: string): string {
  return `/people/${encodeURIComponent(id)}`;
}
