import type { QueryClient } from "@tanstack/react-query";
import { patch, post, remove } from "@/lib/client/change";
import { withQuery } from "@/lib/client/company-path";
import { peoplePath, type PeopleSelection } from "@/lib/client/people-path";
import { isRecord } from "@/lib/client/snapshot";
import type {
  Invitation,
  Invited,
  PasswordLink,
  PeopleView,
  PersonChange,
} from "@/lib/contracts/people";
import { resource } from "./resource";

const EVERY_MS = 30_000;
/** Longer than the server's timeout for sending a mail. */
const MAILING_MS = 20_000;
const people = resource("people");

/** One page of all people. The previous page remains while another one loads. */
export const peopleQuery = (selection: PeopleSelection) =>
  people.list<PeopleView>(peoplePath(selection), EVERY_MS, ["counts"]);

/** The first people by name, for a choice of one; people are few. */
export const peopleToChooseQuery = people.list<PeopleView>(
  withQuery("/people", { page: "1", per_page: "100" }),
  EVERY_MS,
  ["counts"],
);

/** @throws ApiError; 409 if the address already has an account */
export function invitePerson(client: QueryClient, invitation: Invitation): Promise<Invited> {
  return people.changed(client, post("/people", invitation, isInvited, undefined, MAILING_MS));
}

/** @throws ApiError; 409 if no other person could manage people */
export function changePerson(
  client: QueryClient,
  id: string,
  change: PersonChange,
): Promise<unknown> {
  return people.changed(client, patch(people.pathOf(id), change, isRecord));
}

/** @throws ApiError */
export function makeLink(client: QueryClient, id: string): Promise<PasswordLink> {
  return people.changed(
    client,
    post(people.pathOf(id, "reset"), {}, isLink, undefined, MAILING_MS),
  );
}

/** @throws ApiError; 409 if it is off, or the caller's own */
export function resetSecondFactor(client: QueryClient, id: string): Promise<unknown> {
  return people.changed(client, remove(people.pathOf(id, "second-factor"), isRecord));
}

/** @throws ApiError */
export function endSessions(client: QueryClient, id: string): Promise<unknown> {
  return people.changed(client, remove(people.pathOf(id, "sessions"), isRecord));
}

function isInvited(body: unknown): body is Invited {
  return isRecord(body) && isLink(body["invitation"]);
}

function isLink(body: unknown): body is PasswordLink {
  return isRecord(body) && typeof body["url"] === "string";
}
