import type { Imported } from "@/lib/contracts/connections";
import { count, counted } from "@/lib/domain/words/format";

/** Texts of the dialogs that change connections. */

export type RowAct = "edit" | "secret" | "pause" | "resume" | "remove" | "removeAside";

export const actions: Readonly<Record<RowAct, string>> = {
  edit: "Edit",
  secret: "Replace secret",
  pause: "Pause",
  resume: "Resume",
  remove: "Remove",
  removeAside: "Remove the unused one",
};
export const MORE = "More";
export const moreLabel = (name: string) => `More actions: ${name}`;

const CANCEL = "Cancel";
const KEEP = "Keep it";

export const editDialog = {
  title: (name: string) => `Edit ${name}`,
  cancel: CANCEL,
  save: "Save",
  name: "Name",
  owner: "Owner",
  timeZone: "Time zone",
  externalId: "External ID (optional)",
  lacks: "Enter a name.",
  note: "The address can’t be changed here, because links depend on it.",
};

export const secretDialog = {
  title: (name: string) => `Replace the secret of ${name}`,
  cancel: CANCEL,
  save: "Check and replace",
  baseUrl: "Base URL",
  clientId: "Client ID",
  secret: "New client secret",
  lacks: "Enter the new client secret.",
  invalid: "Enter the base URL and the client ID as your API gives them, and the secret itself.",
  note: "The new secret is checked first. If the check fails, the current one stays in use until you replace it anyway.",
  saveAnyway: "Replace anyway",
  failed: "The check failed, so the current secret stays in use.",
};

export const pauseDialog = (name: string) => ({
  title: `Pause ${name}?`,
  keep: CANCEL,
  act: "Pause",
  sentence:
    "Plumbline stops checking this company. Its verdicts freeze, its incidents stay as they are, and no one is notified that we can’t see it. You can resume at any time.",
});
export const resumeDialog = (name: string) => ({
  title: `Resume ${name}?`,
  keep: CANCEL,
  act: "Resume",
  sentence:
    "Plumbline checks this company again from now on. The pause stays in its history as a gap.",
});
export const removeDialog = (name: string) => ({
  title: `Remove ${name}?`,
  keep: KEEP,
  act: "Remove",
  goes: "Plumbline stops reading this company, deletes its stored secret, and takes it off every page, display and message.",
  stays:
    "What was recorded stays readable to administrators, and the address stays taken, until someone runs “npm run companies -- forget”. Connecting the same host and client ID again resumes it.",
});
export const removeAsideDialog = (name: string, host: string) => ({
  title: `Remove the unused connection ${name}?`,
  keep: KEEP,
  act: "Remove",
  goes: `This deletes the connection to ${host} that was made here, with its stored secret. It isn’t in use.`,
  stays: "The company stays connected by its configuration.",
});

export const proofWords = {
  edit: { act: "edit a connection", untouched: "Nothing has been changed yet." },
  secret: { act: "replace a secret", untouched: "Nothing has been changed yet." },
  pause: { act: "pause a connection", untouched: "Nothing has been changed yet." },
  resume: { act: "resume a connection", untouched: "Nothing has been changed yet." },
  remove: { act: "remove a connection", untouched: "Nothing has been removed yet." },
  check: { act: "check a connection", untouched: "Nothing has been sent yet." },
  import: { act: "import connections", untouched: "Nothing has been imported yet." },
};

/** Why a change was refused. @param description the server’s sentence; null: none */
export function refusal(status: number, description: string | null): string {
  if (status === 404) return "This connection was already removed.";
  if (status === 403) return "You no longer have the right to change connections.";
  if (status === 429) return "Too many checks in the last minute. Try again in a minute.";
  if (status === 0)
    return "Plumbline didn’t respond. Reload the page to see whether it was changed.";
  return description ?? "Couldn’t change the connection. Try again.";
}

// Import.

export const IMPORT = "Import";
export const importDialog = {
  title: "Import connections",
  cancel: CANCEL,
  close: "Close",
  file: "File",
  about:
    "A JSON list in the format of CONNECTIONS_FILE, or a CSV file with the same column names: slug, name, base_url, client_id, client_secret, and optionally time_zone, owner (email) and external_id. At most 500 lines. Unless you signed in recently, you’re asked to confirm it’s you once you choose a file.",
  reading: "Checking the file…",
  table: "Lines of the file",
  line: "Line",
  slug: "Address",
  result: "Result",
  /** Of the dry run. @param ok number of valid lines */
  dry: (ok: number, all: number) =>
    ok === all
      ? `All ${counted(all, "line")} can be imported. Nothing has been saved yet.`
      : `${count(ok)} of ${counted(all, "line")} can be imported. Nothing has been saved yet.`,
  save: (ok: number) => `Import ${ok === 1 ? "1 company" : `${count(ok)} companies`}`,
  saving: "Importing…",
  done: (ok: number) =>
    `${ok === 1 ? "1 company is" : `${count(ok)} companies are`} connected. Each is checked in turn; the list shows how far that is.`,
};

export const resultWords: Readonly<Record<Imported["data"][number]["result"], string>> = {
  ok: "OK",
  invalid: "Invalid",
  taken: "Taken",
};

/** Why a file can’t be used. */
export const fileProblems = {
  large: "The file is larger than 256 KB. Split it.",
  many: "The file has more than 500 lines. Split it.",
  empty: "The file has no lines.",
  /** @param columns their names, at least one */
  missing: (columns: readonly string[]) =>
    columns.length === 1
      ? `The column ${columns[0]} is missing.`
      : `These columns are missing: ${columns.join(", ")}.`,
  unreadable: "The file is neither a JSON list nor CSV with column names in its first line.",
};
/** @param given.line in the file, from 1 */
export const badLine = ({ line, problem }: { line: number; problem: string }) =>
  `Line ${count(line)}: ${problem}`;
