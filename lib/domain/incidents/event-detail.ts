import type { Trouble } from "./incident";
import type { Change } from "./step";

/** Details of a timeline event, beyond its kind. */
export type EventDetail = {
  /** Verdicts. */
  from?: Trouble;
  to?: Trouble;
  /** Of `eased`: the endpoint's state was unknown then, and `to` is the last verdict seen. */
  isUnseen?: boolean;
  /** Of a member, or of the incident. */
  ending?: string;
  /**
   * Of `left`: when the data that ended the trouble was received, if that was before the trouble started. Epoch
   * milliseconds.
   */
  receivedMs?: number;
  /** Of `left` and `ended`: by a learned week, the endpoints rest at this time. */
  isResting?: boolean;
  /** Of `seen_again`. */
  changes?: readonly Change[];
  /** Names at the time of the event; null: the administrators. */
  owner?: { id: string; name: string } | null;
  previous_owner?: { id: string; name: string } | null;
  /** The person who lost the right to handle the company's incidents, if that is the reason. */
  barred?: { id: string; name: string };
  /** Expiry of an acknowledgement, ISO 8601; null: none. */
  until?: string | null;
  /** Of a note. */
  told_customer?: boolean;
  /** Of a note: it is sent to the channels that follow the incident. */
  to_channels?: boolean;
};
