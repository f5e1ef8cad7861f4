import { cookies } from "next/headers";
import { WallTop } from "@/components/wall/wall-top";
import { ZONE_COOKIE, zoneOf } from "@/lib/client/preferences";
import { firstWall } from "@/lib/server/pages/first-wall";
import { shownHost } from "@/lib/server/pages/shown-origin";

export default async function WallPage() {
  const first = await firstWall(null);
  const zone = zoneOf((await cookies()).get(ZONE_COOKIE)?.value);
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content="0;url=/wall/plain" />
      </noscript>
      <WallTop first={first} zone={zone} host={await shownHost()} />
    </>
  );
}
