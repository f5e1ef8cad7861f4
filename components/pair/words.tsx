import type { ReactNode } from "react";

export const PAIR_TITLE = "Pair this display";
export const PLUMBLINE = "Plumbline";
export const NOT_PAIRED = "This display isn’t paired yet";

export const notices = {
  paired: { title: "Paired", sentence: "Loading the wall…" },
  silent: { title: "Plumbline isn’t responding", sentence: "A code appears once it does." },
  starting: { title: "Getting a code", sentence: "This takes a moment." },
};

export const steps = {
  open: "On your computer, open",
  enter: "and enter",
  /** For screen readers. @param groups the letters of each half, separated */
  spoken: (groups: readonly string[]) => `The code is ${groups.join(", ")}`,
  renews: "Codes renew automatically",
  next: (left: ReactNode): ReactNode => <>New code in {left}</>,
  /** For a person who is signed in on this screen. */
  here: (link: ReactNode): ReactNode => <>You’re signed in here. To pair a display, open {link}.</>,
  hereLink: "Display settings",
  qrLabel: "QR code for the pairing page",
  scan: "or scan this with a phone",
};

export const connection = {
  here: "Connected",
  lost: (at: string) => `Lost connection to Plumbline at ${at}`,
};

/** What pairing means, one line each. */
export const terms: readonly { key: string; text: ReactNode }[] = [
  {
    key: "shows",
    text: (
      <>
        Once paired, it shows <b>what you choose</b>
      </>
    ),
  },
  {
    key: "changes",
    text: (
      <>
        It <b>can’t change anything</b>
      </>
    ),
  },
  {
    key: "unpair",
    text: (
      <>
        Unpair it <b>anytime in Settings</b>
      </>
    ),
  },
];
