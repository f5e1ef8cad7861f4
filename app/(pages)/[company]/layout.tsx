import type { ReactNode } from "react";
import { Header } from "@/app/(pages)/header";
import { ClockProvider } from "@/lib/client/use-now";
import { companyOf, requirePerson } from "@/lib/server/pages/current-person";
import { nowMs } from "@/lib/server/pages/first-view";

/** The frame of a company's pages, also around "not found". */
export default async function CompanyFrame({
  params,
  children,
}: {
  params: Promise<{ company: string }>;
  children: ReactNode;
}) {
  const [{ company }, person] = await Promise.all([params, requirePerson()]);
  return (
    <ClockProvider nowMs={nowMs()}>
      <Header person={person} company={companyOf(person, company)} />
      {children}
    </ClockProvider>
  );
}
