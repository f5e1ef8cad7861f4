import { createContext, useContext } from "react";
import type { Flag } from "@/components/ui/flag";

/** What can be done in the lines of a company's current board. The same object while an act is on its way. */
export type LineActs = {
  /** May acknowledge its incidents. */
  mayHandle: boolean;
  /** An act is on its way. */
  busy: Flag;
  /** Acknowledges the open incident of a line, by its key. */
  onTake: (lineKey: string) => void;
  /** Opens what to tell the customer about a partner. */
  onTell: (partner: string) => void;
};

export const ActsContext = createContext<LineActs | null>(null);

/** Null where lines have no acts: on other pages, and in views of the past. */
export const useLineActs = (): LineActs | null => useContext(ActsContext);
