import type { WallFirst } from "@/lib/client/wall-state";

/** What a wall says that may not show anything, or not yet. */
export function closedWords(access: Exclude<WallFirst["access"], { state: "open" }>): {
  title: string;
  sentence: string;
} {
  return access.state === "ended"
    ? {
        title: "This screen shows nothing any more",
        sentence: `${access.sentence} To pair it again, open /pair on this screen.`,
      }
    : {
        title: "Plumbline cannot tell what this screen may show",
        sentence: "It is asked again by itself. Until it knows, nothing is shown.",
      };
}
