"use client";

import { WallAgain } from "@/components/wall/wall-again";
import { notLoaded } from "@/components/wall/words";

/** A wall that could not be drawn. Nobody presses a button there: it tries again by itself. */
export default function WallError() {
  return <WallAgain {...notLoaded} />;
}
