"use client";

import { useEffect, useRef, useState, type ComponentProps } from "react";
import { browserTime } from "@/lib/client/clock";
import { isWallFrame, startWallFrames, notifyTop, type WallFrames } from "@/lib/client/wall/frames";
import { WallScreen } from "./wall-screen";

/**
 * A wall's page. The document that the television opened stays for months: once a newer page has
 * rendered in the frame above it, its own picture is removed, and only the frame switching remains.
 */
export function WallTop(props: Omit<ComponentProps<typeof WallScreen>, "reload">) {
  const [isCovered, setIsCovered] = useState(false);
  const frames = useRef<WallFrames | null>(null);
  useEffect(() => {
    if (isWallFrame()) return undefined;
    const started = startWallFrames({ window, time: browserTime }, () => setIsCovered(true));
    frames.current = started;
    return () => started.stop();
  }, []);
  if (isCovered) return null;
  const reload = () => (isWallFrame() ? notifyTop("replace") : frames.current?.replace());
  return <WallScreen {...props} reload={reload} />;
}
