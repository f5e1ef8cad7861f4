import type { ReactNode } from "react";

export type MenuItem =
  | { kind: "link"; key: string; label: string; href: string; isCurrent?: boolean }
  | { kind: "action"; key: string; label: string; onSelect: () => void }
  | {
      kind: "choice";
      key: string;
      label: string;
      value: string;
      options: readonly MenuChoice[];
      onChoose: (value: string) => void;
    }
  | { kind: "note"; key: string; label: ReactNode };
export type MenuChoice = { value: string; label: string };
