"use client";

import { useEffect } from "react";
import { browserTime } from "@/lib/client/clock";
import { pageResponds } from "@/lib/client/page-responds";
import { ALIVE } from "./guard";
import { WallNotice } from "./wall-notice";

const AGAIN_MS = 30_000;

/** For a wall address without a picture: polls its own page until there is one, then loads it. */
export function WallAgain({ title, sentence }: { title: string; sentence: string }) {
  useEffect(() => {
    Reflect.set(window, ALIVE, true);
    let stopTimer = () => {};
    const wait = () => {
      const spreadMs = AGAIN_MS * (0.5 + Math.random());
      stopTimer = browserTime.setTimer(() => void look(), spreadMs);
    };
    const look = async () => {
      if (await pageResponds(window.location.href)) window.location.reload();
      wait();
    };
    wait();
    return () => stopTimer();
  }, []);
  return <WallNotice title={title} sentence={sentence} theme="dark" />;
}
