import type { ReactNode } from "react";
import { Header } from "@/app/(pages)/header";
import { ClockProvider } from "@/lib/client/use-now";
import { nowMs } from "@/lib/server/pages/first-view";
import { firstRead } from "./first-read";

/** The frame around "not found"; a partner's page has its own, which reads what the page reads. */
export default async function PartnerFrame({ children }: { children: ReactNode }) {
  const { person, read } = await firstRead();
  if (read !== null) return children;
  return (
    <ClockProvider nowMs={nowMs()}>
      <Header person={person} company={null} />
      {children}
    </ClockProvider>
  );
}
