import { EXPLAIN } from "@/components/shell/words";

export const explanation = {
  title: EXPLAIN,
  close: "Close",
  sentences: [
    "You’re seeing our last complete check, with its age. Nothing here is newer than that.",
    "While a check is delayed, fresh feeds are shown hollow. If it takes too long, all verdicts are frozen, hatched and shown in the past tense. We’re retrying automatically; you don’t need to do anything.",
  ],
};
