import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import { isRecord } from "@/lib/client/snapshot";
import type { GivenGrant } from "@/lib/contracts/people";
import type { Role } from "@/lib/domain/rights";

/** A dialog of the people page, stored during a redirect to the identity provider. */
export const PEOPLE_DIALOG = "people";

/** Draft of an invitation; `companies`: slugs. */
export type WrittenInvitation = {
  name: string;
  email: string;
  role: Role;
  companies: "all" | readonly string[];
};
export const NO_INVITATION: WrittenInvitation = {
  name: "",
  email: "",
  role: "viewer",
  companies: [],
};

/** Draft of a person's name and grants. */
export type WrittenChange = { name: string; grants: readonly GivenGrant[] };

/** Actions that need confirmation. */
export const SURE = ["end", "disable", "cancel", "enable", "link", "reset"] as const;
export type Sure = (typeof SURE)[number];

/** `person`: their id. */
export type KeptPeople =
  | { dialog: "invite"; written: WrittenInvitation }
  | { dialog: "edit"; person: string; written: WrittenChange }
  | { dialog: Sure; person: string };

/** The dialog's state to restore. */
export function keptPeople(state: KeptPeople): ResumableDialog {
  return { kind: PEOPLE_DIALOG, state };
}

/** @param state stored in this browser, maybe by another version of the page */
export function isKeptPeople(state: unknown): state is KeptPeople {
  if (!isRecord(state)) return false;
  const { dialog, person, written } = state;
  if (SURE.some((one) => one === dialog)) return typeof person === "string";
  if (!isRecord(written) || typeof written["name"] !== "string") return false;
  if (dialog === "edit") return typeof person === "string" && Array.isArray(written["grants"]);
  return (
    dialog === "invite" &&
    typeof written["email"] === "string" &&
    typeof written["role"] === "string" &&
    (written["companies"] === "all" || Array.isArray(written["companies"]))
  );
}
