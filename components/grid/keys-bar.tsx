import type { ReactNode } from "react";

/** The foot of the window: where the active row stands, and the keys that work here. */
export function KeysBar({
  place,
  total,
  onHelp,
}: {
  /** The active endpoint's place among those shown, from 1; null when a partner is active. */
  place: number | null;
  total: number;
  onHelp: () => void;
}) {
  return (
    <div className="board-keys" role="group" aria-label="Keyboard shortcuts">
      <span>
        {place === null ? `${total} ${total === 1 ? "row" : "rows"}` : `row ${place} of ${total}`}
      </span>
      <span className="flex-1" />
      <Hint>
        <Key>J</Key>
        <Key>K</Key> move
      </Hint>
      <Hint>
        <Key>←</Key>
        <Key>→</Key> details
      </Hint>
      <Hint>
        <Key>↵</Key> open
      </Hint>
      <Hint>
        <Key>1</Key>–<Key>8</Key> filter
      </Hint>
      <button type="button" className="board-keys-all" onClick={onHelp}>
        <Key>?</Key> all shortcuts
      </button>
    </div>
  );
}

const Hint = ({ children }: { children: ReactNode }) => <span>{children}</span>;
const Key = ({ children }: { children: ReactNode }) => <kbd className="key">{children}</kbd>;
