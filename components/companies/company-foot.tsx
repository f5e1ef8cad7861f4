"use client";

import type { ReactNode } from "react";
import { footWords as words } from "./words";

/** Footer: the number of companies, and the keyboard shortcuts. */
export function CompanyFoot({ said, onHelp }: { said: string; onHelp: () => void }) {
  return (
    <div className="board-keys" role="group" aria-label={words.label}>
      <span>{said}</span>
      <span className="flex-1" />
      <span>
        <Key>J</Key>
        <Key>K</Key> {words.move}
      </span>
      <span>
        <Key>↵</Key> {words.open}
      </span>
      <span>
        <Key>1</Key>–<Key>8</Key> {words.filter}
      </span>
      <button type="button" className="board-keys-all" onClick={onHelp}>
        <Key>?</Key> {words.all}
      </button>
    </div>
  );
}

const Key = ({ children }: { children: ReactNode }) => <kbd className="key">{children}</kbd>;
