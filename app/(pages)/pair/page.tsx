import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { GUARD } from "@/components/pair/guard";
import { PairScreen } from "@/components/pair/pair-screen";
import { EarlyScript } from "@/components/ui/early/early-script";
import { THEME_COOKIE, themeOf } from "@/lib/client/theme";
import { ClockProvider } from "@/lib/client/use-now";
import { currentCode } from "@/lib/server/pages/current-code";
import { currentPerson } from "@/lib/server/pages/current-person";
import { shownOrigin } from "@/lib/server/pages/shown-origin";
import { PAIR_TITLE } from "@/components/pair/words";

export const metadata: Metadata = { title: PAIR_TITLE };

type Props = { searchParams: Promise<{ step?: string | string[] }> };

export default async function PairPage({ searchParams }: Props) {
  if ((await searchParams).step !== "done") redirect("/pair/step");
  const { code, nowMs } = await currentCode();
  const person = await currentPerson().catch(() => null);
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <ClockProvider nowMs={nowMs}>
      <noscript>
        <meta httpEquiv="refresh" content="5;url=/pair/step" />
      </noscript>
      <EarlyScript script={GUARD} />
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
