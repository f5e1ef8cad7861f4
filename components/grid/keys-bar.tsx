import { ActKeys, Key, KeysFooter, ListKeys } from "@/components/list/keys-footer";
import { ACKNOWLEDGE, ALL_KEYS, BY_NEXT, KEYS_LABEL, MOVE, OPEN, TELL, placeText } from "./words";

/** Footer: the position of the active row, and the keyboard shortcuts, without those in `without`. */
export function KeysBar({
  place,
  total,
  without,
  onHelp,
}: {
  /** One-based position of the active endpoint among those shown; null when a partner is active. */
  place: number | null;
  total: number;
  without: readonly string[];
  onHelp: () => void;
}) {
  return (
    <KeysFooter label={KEYS_LABEL} summary={placeText(place, total)} all={ALL_KEYS} onHelp={onHelp}>
      <ListKeys move={MOVE} open={OPEN} />
      <ActKeys take={ACKNOWLEDGE} tell={TELL} without={without} />
      <span>
        <Key>N</Key> {BY_NEXT}
      </span>
    </KeysFooter>
  );
}
