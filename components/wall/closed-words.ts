import type { WallFirst } from "@/lib/client/wall/state";

/** What a wall says that may not show anything, or not yet. */
export function closedWords(access: Exclude<WallFirst["access"], { state: "open" }>): {
  title: string;
  sentence: string;
} {
  return access.state === "ended"
    ? {
        title: "This display is no longer paired",
        sentence: `${access.sentence} To pair it again, open /pair on it.`,
      }
    : {
        title: "Can’t check what this display may show",
        sentence: "Retrying automatically. Nothing is shown until then.",
      };
}
