"use client";

import { WallAgain } from "@/components/wall/wall-again";
import { notLoaded } from "@/components/wall/words";

/** A wall that failed to render. It retries automatically, because walls are unattended. */
export default function WallError() {
  return <WallAgain {...notLoaded} />;
}
