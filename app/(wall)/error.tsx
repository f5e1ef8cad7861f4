"use client";

import { WallAgain } from "@/components/wall/wall-again";

/** A wall that could not be drawn. Nobody presses a button there: it tries again by itself. */
export default function WallError() {
  return (
    <WallAgain
      title="Couldn’t load the wall"
      sentence="We can’t show sync status right now. Retrying automatically."
    />
  );
}
