import type { ReactNode } from "react";

/**
 * Footer of a list: what it holds, and its main keyboard shortcuts.
 * @param all label of the button that shows all shortcuts
 * @param children one element per shortcut
 */
export function KeysFooter({
  label,
  summary: said,
  all,
  onHelp,
  children,
}: {
  label: string;
  summary: string;
  all: string;
  onHelp: () => void;
  children: ReactNode;
}) {
  return (
    <div className="board-keys" role="group" aria-label={label}>
      <span>{said}</span>
      <span className="flex-1" />
      {children}
      <button type="button" className="board-keys-all" onClick={onHelp}>
        <Key>?</Key> {all}
      </button>
    </div>
  );
}

/** The shortcuts that every list has: J and K move, Enter opens. */
export function ListKeys({ move, open }: { move: string; open: string }) {
  return (
    <>
      <span>
        <Key>J</Key>
        <Key>K</Key> {move}
      </span>
      <span>
        <Key>↵</Key> {open}
      </span>
    </>
  );
}

/** Keys of lists whose lines can be acknowledged, and told of to customers; without those in `without`. */
export function ActKeys({
  take,
  tell,
  without,
}: {
  take: string;
  tell: string;
  without: readonly string[];
}) {
  return (
    <>
      {without.includes("A") ? null : (
        <span>
          <Key>A</Key> {take}
        </span>
      )}
      {without.includes("T") ? null : (
        <span>
          <Key>T</Key> {tell}
        </span>
      )}
    </>
  );
}

/** A key of the keyboard. */
export const Key = ({ children }: { children: ReactNode }) => <kbd className="key">{children}</kbd>;
