import type { Pausable } from "@/lib/domain/pause";
import { absoluteTime } from "@/lib/domain/words/format";
import { capital } from "@/lib/domain/text/capital";

/** Names of pausable features. */
const NAMES: Readonly<Record<Pausable, string>> = {
  deletions: "deletions",
  deliveries: "messages",
  displays: "displays",
  links: "share links",
  tokens: "API tokens",
};

/** Effects of each pause. */
const EFFECTS: Readonly<Record<Pausable, string>> = {
  deletions: "No files are deleted.",
  deliveries: "No messages about incidents are sent.",
  displays: "Paired displays show nothing.",
  links: "Share links don’t open.",
  tokens: "Requests with API tokens are refused.",
};

const CHECKS: Readonly<Record<Pausable, string | null>> = {
  deletions: null,
  deliveries: "Before resuming messages, check channels and rules that were changed or removed.",
  displays: "Before resuming displays, unpair any that were unpaired after the backup.",
  links: "Before resuming share links, revoke any that were revoked after the backup.",
  tokens: "Before resuming API tokens, revoke any that were revoked after the backup.",
};

export const RESUME_FAILED = "Couldn’t resume. Try again.";

export const resumeLabel = (what: Pausable) => `Resume ${NAMES[what]}`;

/** "Displays and share links are paused." @param whats at least one */
export function leadOf(whats: readonly Pausable[]): string {
  const names = new Intl.ListFormat("en").format(whats.map((what) => NAMES[what]));
  return `${capital(names)} are paused.`;
}

/** @param backupAtMs epoch milliseconds; null: unknown */
export function restoredSentence(backupAtMs: number | null, timeZone: string): string {
  const from = backupAtMs === null ? "" : ` made at ${absoluteTime(backupAtMs, timeZone)}`;
  return `Plumbline was restored from a backup${from}, so whatever was ended since then may be back.`;
}

/** What that means, and what to do about it. */
export function waitSentence(whats: readonly Pausable[], mayResume: boolean): string {
  const checks = whats.flatMap((what) => CHECKS[what] ?? []);
  return [
    ...whats.map((what) => EFFECTS[what]),
    ...(mayResume ? checks : ["An administrator can resume them."]),
  ].join(" ");
}
