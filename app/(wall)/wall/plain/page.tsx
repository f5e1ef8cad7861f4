import { cookies } from "next/headers";
import { closedWords, footWords } from "@/components/wall/words";
import { wallModel, type WallModel } from "@/components/wall/model";
import { WallNotice } from "@/components/wall/wall-notice";
import { WallPicture } from "@/components/wall/wall-picture";
import { ZONE_COOKIE, zoneOf } from "@/lib/client/preferences";
import { firstWall } from "@/lib/server/pages/first-wall";
import { shownHost } from "@/lib/server/pages/shown-origin";

const AGAIN_SECONDS = 60;

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/**
 * The wall for a browser that cannot run our scripts: a static picture, reloaded every minute by
 * the browser. A capable browser that ended up here counts down `again` and returns.
 */
export default async function PlainWallPage({ searchParams }: Props) {
  const { company, again } = await searchParams;
  const only = typeof company === "string" ? company : null;
  const first = await firstWall(only);
  const { access, wall, companies, atMs } = first;
  const zone = wall.display?.time_zone ?? zoneOf((await cookies()).get(ZONE_COOKIE)?.value);
  const theme = wall.display?.theme ?? "dark";
  const refresh = (
    <meta httpEquiv="refresh" content={`${AGAIN_SECONDS};url=${nextAddress(only, again)}`} />
  );
  if (access.state !== "open") {
    return (
      <>
        {refresh}
        <WallNotice {...closedWords(access, await shownHost())} theme={theme} />
      </>
    );
  }
  const model = wallModel({
    companies: companies.map((shown) => ({ ...shown, lastResponseMs: atMs })),
    name: wall.display?.name ?? null,
    left: wall.left,
    nowMs: atMs,
    isTimeCertain: true,
    timeZone: zone,
    layout: wall.display?.layout ?? "auto",
    size: null,
  });
  return (
    <>
      {refresh}
      <WallPicture model={asOfItsRendering(model)} beat={null} theme={theme} />
    </>
  );
}

/** A static picture must not look live: it shows its date, and how to check it. */
function asOfItsRendering(model: WallModel): WallModel {
  const { clock, foot } = model;
  return {
    ...model,
    foot: {
      ...foot,
      label: footWords.asOf(foot.label, `${clock.time}${clock.seconds}`),
      note: footWords.everyMinute,
    },
  };
}

/** Next address after a minute: this page, or the full wall when `again` has run out. */
function nextAddress(only: string | null, again: string | string[] | undefined): string {
  const left = typeof again === "string" && /^\d{1,3}$/.test(again) ? Number(again) : null;
  const path = only === null ? "" : `/${encodeURIComponent(only)}`;
  if (left === 0) return `${path}/wall`;
  const query = new URLSearchParams({
    ...(only === null ? {} : { company: only }),
    ...(left === null ? {} : { again: String(left - 1) }),
  });
  return query.size === 0 ? "/wall/plain" : `/wall/plain?${query.toString()}`;
}
