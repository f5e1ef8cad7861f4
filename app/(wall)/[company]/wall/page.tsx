import { cookies } from "next/headers";
import { WallTop } from "@/components/wall/wall-top";
import { ZONE_COOKIE, zoneOf } from "@/lib/client/preferences";
import { firstWall } from "@/lib/server/pages/first-wall";
import { shownHost } from "@/lib/server/pages/shown-origin";

export default async function CompanyWallPage({
  params,
}: {
  params: Promise<{ company: string }>;
}) {
  const { company } = await params;
  const first = await firstWall(company);
  const zone = zoneOf((await cookies()).get(ZONE_COOKIE)?.value);
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={`0;url=/wall/plain?company=${company}`} />
      </noscript>
      <WallTop first={first} zone={zone} host={await shownHost()} />
    </>
  );
}
