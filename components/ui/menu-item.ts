import type { ReactNode } from "react";

export type MenuItem =
  | { kind: "link"; key: string; label: ReactNode; href: string; isCurrent?: boolean }
  | { kind: "action"; key: string; label: ReactNode; onSelect: () => void }
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
