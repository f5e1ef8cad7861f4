"use client";

import { useEffect, useState } from "react";
import { browserTime } from "@/lib/client/clock";
import { hideIdlePointer, keepAwake, shiftPx } from "@/lib/client/wall/comfort";
import { isWallFrame, notifyTop } from "@/lib/client/wall/frames";
import { firstNow, type WallLoop, type WallNow } from "@/lib/client/wall/loop";
import { createPaintWatch, startWallPage } from "@/lib/client/wall/page";
import type { WallFirst } from "@/lib/client/wall/state";
import { keepPage, showStoredPage } from "@/lib/client/wall/storage";
import { createFleetFold } from "@/lib/client/wall/fleet";
import { ALIVE } from "./guard";
import { wallModel, type WallModel } from "./model";
import type { WallSize } from "./layout/space";
import { WallNotice } from "./wall-notice";
import { WallPicture } from "./wall-picture";
import { closedWords } from "./words";

const SHAPES = ["landscape", "portrait"] as const;

/**
 * A self-updating wall: the server's picture first, then the loop's, once a second.
 * @param zone IANA name for a signed-in person; a display has its own
 * @param host of Plumbline's address: "plumbline.example.com"
 * @param reload replaces this page with a newer one
 */
export function WallScreen({
  first,
  zone,
  host,
  reload,
}: {
  first: WallFirst;
  zone: string;
  host: string;
  reload: () => void;
}) {
  const [{ loop, now }, setRunning] = useState<{ loop: WallLoop | null; now: WallNow }>(() => ({
    loop: null,
    now: firstNow(first),
  }));
  const size = useWindowSize();
  const [watchPaint] = useState(() => createPaintWatch(tellPainted));
  const [fold] = useState(createFleetFold);

  useEffect(() => {
    Reflect.set(window, ALIVE, true);
    let stop = () => {};
    let isGone = false;
    const run = (started: WallLoop) => {
      if (isGone) return started.stop();
      const show = () => setRunning({ loop: started, now: started.now() });
      started.subscribe(show);
      stop = () => started.stop();
      show();
      return undefined;
    };
    void startWallPage(first, reload).then(run);
    const stopAwake = keepAwake({ document, navigator }, browserTime);
    const stopPointer = hideIdlePointer(document.documentElement, browserTime);
    return () => {
      isGone = true;
      stop();
      stopAwake();
      stopPointer();
    };
    // One loop per page: it starts from the server's data.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  const { edition, isConfirmed, access } = now;
  const { display } = now.wall;
  const isDisplay = display !== null;
  useEffect(() => {
    if (loop === null) return;
    showStoredPage();
    watchPaint({ loop, edition, isConfirmed, access });
  }, [watchPaint, loop, edition, isConfirmed, access]);
  useEffect(() => {
    if (isConfirmed && isDisplay && !isWallFrame()) void keepPage().catch(() => {});
  }, [isConfirmed, isDisplay]);

  const theme = display?.theme ?? "dark";
  const shift = loop === null ? undefined : shiftPx(now.nowMs);
  switch (access.state) {
    case "ended":
    case "away":
      return <WallNotice {...closedWords(access, host)} theme={theme} shiftPx={shift} />;
    case "open":
    case "unpaired": {
      const left = now.wall.left?.filter(({ slug }) => first.only === null || slug === first.only);
      const configured = display?.layout ?? "auto";
      const modelOf = (layout: typeof configured) =>
        wallModel({
          companies: now.companies,
          name: display?.name ?? null,
          fold,
          left,
          nowMs: now.nowMs,
          isTimeCertain: now.isTimeCertain,
          timeZone: display?.time_zone ?? zone,
          layout,
          size,
        });
      const pictureOf = (model: WallModel) => (
        <WallPicture model={model} beat={now.beat} theme={theme} shiftPx={shift} />
      );
      const model = modelOf(configured);
      return (
        <div data-wall-state={model.state} {...(isDisplay ? { "data-wall-display": "" } : {})}>
          {size !== null || configured !== "auto"
            ? pictureOf(model)
            : // The styles show the one that fits the window.
              SHAPES.map((shape) => (
                <div key={shape} className={`wall-only-${shape}`}>
                  {pictureOf(modelOf(shape))}
                </div>
              ))}
        </div>
      );
    }
  }
}

type Drawn = { loop: WallLoop } & Pick<WallNow, "edition" | "isConfirmed" | "access">;

function tellPainted({ loop, edition, isConfirmed, access }: Drawn): void {
  if (access.state !== "open") return;
  loop.painted(edition);
  if (isConfirmed && isWallFrame()) notifyTop("painted");
}

/** Size of the window, CSS pixels; null on the server. */
function useWindowSize(): WallSize | null {
  const [size, setSize] = useState<WallSize | null>(null);
  useEffect(() => {
    const measure = () => setSize({ widthPx: window.innerWidth, heightPx: window.innerHeight });
    measure();
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, []);
  return size;
}
