import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Header } from "@/app/(pages)/header";
import { PartnerHereProvider } from "@/components/partners/partner-here";
import { PartnerEverywhere } from "@/components/partners/partner-view";
import { ViewBar } from "@/components/shell/live/view-bar";
import { ViewLive } from "@/components/shell/live/view-live";
import { partnersEverywherePath } from "@/lib/client/queries/partners/partners-path";
import { ClockProvider } from "@/lib/client/use-now";
import { firstRead } from "./first-read";

async function readPage() {
  const { person, at, read } = await firstRead();
  return { person, at, ...(read ?? notFound()) };
}

export async function generateMetadata(): Promise<Metadata> {
  const { partner, view } = await readPage();
  return { title: view?.partner_name ?? partner };
}

export default async function PartnerPage() {
  const { person, partner, at, view, nowMs, ...rest } = await readPage();
  const path = partnersEverywherePath(partner, at);
  const first = view === null ? null : { path, at, view, receivedMs: nowMs };
  return (
    <ClockProvider nowMs={nowMs}>
      <PartnerHereProvider key={partner} given={{ partner, first, ...rest }}>
        <Header person={person} company={null} live={<ViewLive />} />
        <ViewBar />
        <main id="main" tabIndex={-1}>
          <PartnerEverywhere />
        </main>
      </PartnerHereProvider>
    </ClockProvider>
  );
}
