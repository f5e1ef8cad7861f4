/** The words of the question before a display is unpaired: loaded with it, which no page loads at first. */
import type { ReactNode } from "react";

export const unpairDialog = {
  title: (name: ReactNode) => <>Unpair “{name}”?</>,
  place: (place: ReactNode) => <>Location: {place}.</>,
  sentence:
    "It loses access within ten seconds and says so within about a minute. To use it again, pair it again.",
  act: "Unpairing a display",
  untouched: "It’s still paired.",
  keep: "Keep paired",
  unpair: (name: ReactNode) => <>Unpair {name}</>,
};
