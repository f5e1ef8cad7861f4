/** Why a password isn't accepted, by its weakness. */
export const PASSWORD_WORDS = {
  short: "Too short. Use at least 12 characters.",
  long: "Too long. Use at most 200 characters.",
  "own-words": "Too easy to guess: it’s built on your name, your email address or ours.",
  common: "Too easy to guess: it’s built on a common password or word.",
  repeated: "Too easy to guess: it repeats itself.",
  row: "Too easy to guess: its characters follow each other in the alphabet or on the keyboard.",
  date: "Too easy to guess: it’s built on a date or year.",
  guessable: "Too easy to guess. Make it longer, or add an unrelated word.",
  unchanged: "That’s your current password. Choose a new one.",
} as const;
