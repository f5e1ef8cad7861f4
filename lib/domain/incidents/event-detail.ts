import type { Trouble } from "./incident";
import type { Change } from "./step";

/** What an event of a timeline says beside its kind. */
export type EventDetail = {
  /** Verdicts. */
  from?: Trouble;
  to?: Trouble;
  /** Of `eased`: we couldn't tell about its endpoint then, and `to` is what it had been seen in last. */
  isUnseen?: boolean;
  /** Of a member, or of the incident. */
  ending?: string;
  /** Of `left`: when the data that ended it was received, where that was before the trouble began. Epoch milliseconds. */
  receivedMs?: number;
  /** Of `seen_again`. */
  changes?: readonly Change[];
  /** People as they were called; null: the administrators. */
  owner?: { id: string; name: string } | null;
  previous_owner?: { id: string; name: string } | null;
  /** Who may not handle incidents of the company any more, where that is why. */
  barred?: { id: string; name: string };
  /** Of an acknowledgement, ISO 8601; null: until it ends. */
  until?: string | null;
  /** Of a note. */
  told_customer?: boolean;
};
