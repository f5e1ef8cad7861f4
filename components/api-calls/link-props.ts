import type { MouseEvent } from "react";

/** A link that changes the selection in place. */
export type LinkProps = { href: string; onClick: (event: MouseEvent) => void };

/** Equal for equal names, however they are ranked. */
export function keyOf(names: readonly string[]): string {
  return JSON.stringify(names.toSorted());
}
