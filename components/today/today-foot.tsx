"use client";

import type { ReactNode } from "react";
import { foot as words } from "./words";

/** Footer: how many lines there are, and the keyboard shortcuts. */
export function TodayFoot({ said, onHelp }: { said: string; onHelp: () => void }) {
  return (
    <div className="board-keys" role="group" aria-label={words.keys}>
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
        <Key>A</Key> {words.take}
      </span>
      <span>
        <Key>T</Key> {words.tell}
      </span>
      <button type="button" className="board-keys-all" onClick={onHelp}>
        <Key>?</Key> {words.all}
      </button>
    </div>
  );
}

const Key = ({ children }: { children: ReactNode }) => <kbd className="key">{children}</kbd>;
