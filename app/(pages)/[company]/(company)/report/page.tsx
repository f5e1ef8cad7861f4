import type { Metadata } from "next";
import { NoSuchMonth } from "@/components/report/no-such-month";
import { ReportPage } from "@/components/report/report-page";
import { loadReportMonth } from "@/components/report/report-url";
import { dayAndYear } from "@/components/report/sentences";
import { requireCompany } from "@/lib/server/pages/current-person";
import { firstReport } from "@/lib/server/pages/first-report";
import "@/app/styles/report.css";
import "@/app/styles/print.css";

type Props = {
  params: Promise<{ company: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { company } = await requireCompany((await params).company);
  return { title: `On-time report: ${company.name}` };
}

export default async function CompanyReportPage({ params, searchParams }: Props) {
  const { company, person } = await requireCompany((await params).company);
  const requested = loadReportMonth(await searchParams);
  if (!requested.isValid) {
    return (
      <main id="main" tabIndex={-1}>
        <NoSuchMonth />
      </main>
    );
  }
  const { month, thisMonth, report, before, today } = await firstReport(
    person,
    company.slug,
    requested.month,
  );
  return (
    <main id="main" tabIndex={-1}>
      <ReportPage
        key={month}
        month={month}
        thisMonth={thisMonth}
        first={report}
        before={before}
        printed={{ person: person.name, day: dayAndYear(today) }}
      />
    </main>
  );
}
