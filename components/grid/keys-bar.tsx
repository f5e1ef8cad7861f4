import type { ReactNode } from "react";
import { ACKNOWLEDGE, ALL_KEYS, DETAILS, FILTER, KEYS_LABEL, MOVE, OPEN, placeText } from "./words";

/** Footer: the position of the active row, and the keyboard shortcuts. */
export function KeysBar({
  place,
  total,
  onHelp,
}: {
  /** One-based position of the active endpoint among those shown; null when a partner is active. */
  place: number | null;
  total: number;
  onHelp: () => void;
}) {
  return (
    <div className="board-keys" role="group" aria-label={KEYS_LABEL}>
      <span>{placeText(place, total)}</span>
      <span className="flex-1" />
      <Hint>
        <Key>J</Key>
        <Key>K</Key> {MOVE}
      </Hint>
      <Hint>
        <Key>←</Key>
        <Key>→</Key> {DETAILS}
      </Hint>
      <Hint>
        <Key>↵</Key> {OPEN}
      </Hint>
      <Hint>
        <Key>A</Key> {ACKNOWLEDGE}
      </Hint>
      <Hint>
        <Key>1</Key>–<Key>8</Key> {FILTER}
      </Hint>
      <button type="button" className="board-keys-all" onClick={onHelp}>
        <Key>?</Key> {ALL_KEYS}
      </button>
    </div>
  );
}

const Hint = ({ children }: { children: ReactNode }) => <span>{children}</span>;
const Key = ({ children }: { children: ReactNode }) => <kbd className="key">{children}</kbd>;
