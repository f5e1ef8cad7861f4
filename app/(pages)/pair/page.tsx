import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { GUARD } from "@/components/pair/guard";
import { PairScreen } from "@/components/pair/pair-screen";
import { THEME_COOKIE, themeOf } from "@/lib/client/preferences";
import { ClockProvider } from "@/lib/client/use-now";
import { currentCode } from "@/lib/server/pages/current-code";
import { currentPerson } from "@/lib/server/pages/current-person";
import { shownOrigin } from "@/lib/server/pages/shown-origin";

export const metadata: Metadata = { title: "Pair this display" };

type Props = { searchParams: Promise<{ step?: string | string[] }> };

export default async function PairPage({ searchParams }: Props) {
  if ((await searchParams).step !== "done") redirect("/pair/step");
  const { code, nowMs } = await currentCode();
  const person = await currentPerson().catch(() => null);
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value);
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <ClockProvider nowMs={nowMs}>
      <noscript>
        <meta httpEquiv="refresh" content="5;url=/pair/step" />
      </noscript>
      {/* oxlint-disable-next-line react/no-danger -- a constant of ours, for browsers without our scripts */}
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: GUARD }} suppressHydrationWarning />
      <PairScreen
        code={code}
        firstMs={nowMs}
        origin={await shownOrigin()}
        theme={theme === "light" ? "light" : "dark"}
        isPerson={person !== null}
      />
    </ClockProvider>
  );
}
