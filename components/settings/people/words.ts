import type { ProofWords } from "@/components/session/proof";
import type { Because, PasswordLink, PersonEntry } from "@/lib/contracts/people";
import { count, counted } from "@/lib/domain/words/format";
import type { Sure } from "./kept";

export const PEOPLE = "People";

export const noAccess = {
  title: "You don’t have access to people",
  sentence: "Only administrators can manage people. Ask one of them if you need access.",
};

export const headline = (people: number) => (people === 1 ? "1 person" : `${count(people)} people`);

/** "8 active, 1 invited, 1 disabled". */
export function subline({
  active,
  invited,
  disabled,
}: {
  active: number;
  invited: number;
  disabled: number;
}): string {
  return [
    `${count(active)} active`,
    ...(invited > 0 ? [`${count(invited)} invited`] : []),
    ...(disabled > 0 ? [`${count(disabled)} disabled`] : []),
  ].join(", ");
}

export const INVITE = "Invite someone";
export const SEARCH = "Name or email";
export const WHICH = "Which people";
export const WHICH_CHOICES = [
  { value: "all", label: "Everyone" },
  { value: "administrators", label: "Administrators" },
  { value: "local", label: "Password" },
  { value: "disabled", label: "Disabled" },
] as const;

export const listHead = {
  person: "Person",
  signsIn: "Signs in with",
  may: "Access",
  because: "Granted by",
  seen: "Last seen",
  sessions: "Sessions",
  status: "Status",
  actions: "Actions",
};

export function signsInWith({
  kind,
  is_first_administrator: isFirst,
  has_second_factor: hasCode,
}: PersonEntry): string {
  if (kind === "oidc") return "Company sign-in";
  const how = hasCode ? "Password and code" : "Password";
  return isFirst ? `${how} (first administrator)` : how;
}

export const NO_ACCESS = "No access";
export const ALL_COMPANIES = "all companies";
/** "Northgate Builders", "5 companies". */
export const severalCompanies = (amount: number) => `${count(amount)} companies`;

/** @param day of a manual grant, formatted */
export function becauseText(because: Because, day: string): string {
  if (because.kind === "rule") return `Rule ${because.rule}: ${because.claim} is ${because.value}`;
  return because.by === null ? `Set up on the server, ${day}` : `${because.by}, ${day}`;
}

const SESSIONS_KEPT_MS = 30 * 24 * 3_600_000;
/** Text for a person without a recorded visit: sessions are stored for 30 days, and the account may be newer. */
export const notSeen = (
  { status, created_at: createdAt }: Pick<PersonEntry, "status" | "created_at">,
  nowMs: number,
) =>
  status === "invited" || nowMs - Date.parse(createdAt) < SESSIONS_KEPT_MS
    ? "never seen"
    : "not seen in 30 days";
export const NOW = "now";

export const statusWords = {
  active: "Active",
  invited: "Invited",
  disabled: "Disabled",
  linkEnds: (when: string) => `Link expires ${when}`,
  noLink: "Link expired",
  since: (when: string) => `since ${when}`,
};

export const actions = {
  edit: "Edit",
  end: "End sessions",
  link: "New link",
  cancel: "Cancel",
  disable: "Disable",
  enable: "Enable",
  reset: "Reset two-step sign-in",
};

export const note =
  "Two people can share an email address; we tell them apart by how they sign in. The first administrator (ADMIN_EMAIL) and the last one can’t be disabled or demoted.";

export const listWords = {
  noMatches: {
    sentence: "No one matches this search.",
    show: "Show everyone",
  },
  notLoaded: {
    title: "Couldn’t load people",
    sentence: "Plumbline isn’t responding. Retrying automatically.",
  },
};

export const pageWords = {
  label: "Pages of people",
  back: "Previous",
  on: "Next",
  place: (page: number, pages: number, total: number) =>
    `Page ${count(page)} of ${count(pages)}, ${headline(total)}`,
};

// Dialogs.

export const fields = {
  name: "Name",
  email: "Email",
  role: "Role",
  companies: "Companies",
  company: (name: string) => `Company: ${name}`,
  all: "All companies",
  add: "Add a company",
  addAccess: "Add access",
  remove: (name: string) => `Remove ${name}`,
  roleAt: (name: string) => `Role at ${name}`,
};

export const inviteDialog = {
  title: INVITE,
  /** @param isMailing whether a mail server is set up */
  foot: (isMailing: boolean) =>
    `${isMailing ? "We’ll email them a link and show it to you." : "You’ll get a link to send them."} It works once, for seven days. They choose their own password; no one else sees it.`,
  cancel: "Cancel",
  send: (name: string) => (name === "" ? "Invite" : `Invite ${name}`),
  noCompany: "Choose at least one company.",
};

export const linkDialog = {
  invited: (name: string) => `${name} is invited`,
  made: (name: string) => `New link for ${name}`,
  /** Outcome of mailing the link, and what remains to do. */
  mailed(mailed: PasswordLink["mailed"], email: string): string {
    switch (mailed) {
      case "accepted":
        return `The mail server accepted an email with this link for ${email}. If it doesn’t arrive, send them the link yourself.`;
      case "failed":
        return `We couldn’t email this link to ${email}. Send it to them yourself.`;
      case "unknown":
        return `We don’t know whether ${email} gets an email with this link: the mail server stopped responding. Send it to them yourself.`;
      case "off":
        return "Send this link to them.";
    }
  },
  until: (when: string) => `It works once, until ${when}, and isn’t shown again.`,
  label: "Link",
  copy: "Copy link",
  stored: "I’ve copied the link or don’t need it",
  close: "Done",
};

export const editDialog = {
  title: (name: string) => `Edit ${name}`,
  byRule: "From rules in ACCESS_FILE:",
  none: "No access given here.",
  save: "Save",
  cancel: "Cancel",
  disable: "Disable",
  link: "Create password link",
  linkSays: "A one-time link to choose a password with. Earlier links stop working.",
  reset: "Reset two-step sign-in",
  resetSays: "Ends their sessions. They can then sign in with just their password.",
  disableSays: "Ends their sessions within seconds. You can enable them again.",
  isFirst:
    "This is the first administrator (ADMIN_EMAIL). They can’t be disabled or demoted, so someone can always sign in.",
};

/** Texts of the confirmation of an action on a person. */
export function confirmWords(kind: Sure, { name, sessions, status }: PersonEntry) {
  return {
    end: {
      title: `End all sessions for ${name}?`,
      children: "They’re signed out everywhere within seconds, and can sign in again.",
      keep: "Keep sessions",
      act: `End ${counted(sessions, "session")}`,
    },
    disable: {
      title: `Disable ${name}?`,
      children:
        "They’re signed out everywhere within seconds and can’t sign in until you enable them.",
      keep: "Keep enabled",
      act: `Disable ${name}`,
    },
    cancel: {
      title: `Cancel the invitation for ${name}?`,
      children: "Their link stops working. You can enable them later and create a new link.",
      keep: "Keep invitation",
      act: "Cancel invitation",
    },
    enable: {
      title: `Enable ${name}?`,
      children: "They can sign in again, with the access they had.",
      keep: "Keep disabled",
      act: `Enable ${name}`,
      isHarmless: true,
    },
    reset: {
      title: `Reset two-step sign-in for ${name}?`,
      children:
        "They’re signed out everywhere within seconds. They can then sign in with just their password, and set up their authenticator app again.",
      keep: "Cancel",
      act: "Reset two-step sign-in",
    },
    link: {
      title: `Create a new link for ${name}?`,
      children: `They’ll use it to choose a password. Earlier links stop working.${
        status === "active" ? " Their current password works until they choose a new one." : ""
      }`,
      keep: "Cancel",
      act: "Create link",
      isHarmless: true,
    },
  }[kind];
}

export const proofWords: Readonly<Record<"invite" | "edit" | Sure, ProofWords>> = {
  invite: { act: "invite someone", untouched: "No one has been invited yet." },
  edit: { act: "change someone’s access", untouched: "Nothing has been changed yet." },
  end: { act: "end someone’s sessions", untouched: "No session has been ended yet." },
  disable: { act: "disable someone", untouched: "No one has been disabled yet." },
  cancel: { act: "cancel an invitation", untouched: "Nothing has been canceled yet." },
  enable: { act: "enable someone", untouched: "No one has been enabled yet." },
  reset: { act: "reset someone’s two-step sign-in", untouched: "Nothing has been reset yet." },
  link: { act: "create a password link", untouched: "No link has been created yet." },
};

/** Why a request failed. @param status HTTP status; 0: no response */
export function refusal(status: number): string {
  switch (status) {
    case 0:
      return "Plumbline isn’t responding. Your request may have gone through.";
    case 400:
      return "Something here isn’t valid. Check the name, email and companies.";
    case 403:
      return "Your role doesn’t allow this.";
    case 404:
      return "No such person.";
    default:
      return "Couldn’t save this. Try again.";
  }
}
export const EMAIL_TAKEN = "Someone already signs in with this email address.";
export const FIRST_ADMINISTRATOR =
  "The first administrator (ADMIN_EMAIL) can’t be disabled or demoted.";
export const LAST_ADMINISTRATOR =
  "This is the last administrator. Make someone else an administrator first.";
export const NO_RESET =
  "Two-step sign-in is already off for this person. To turn off your own, go to your own page.";
export const NO_LINK = "This person is disabled, or signs in with your identity provider.";
