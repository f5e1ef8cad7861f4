"use client";

import { WallAgain } from "@/components/wall/wall-again";

/** A wall that could not be drawn. Nobody presses a button there: it tries again by itself. */
export default function WallError() {
  return (
    <WallAgain
      title="This picture could not be drawn"
      sentence="Nothing is known about the syncs from here. It is tried again by itself."
    />
  );
}
