import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { Header } from "@/app/(pages)/header";
import { ViewBar } from "@/components/shell/live/view-bar";
import { ViewLive } from "@/components/shell/live/view-live";
import { FirstSteps } from "@/components/shell/demo/first-steps";
import { TodayHereProvider } from "@/components/today/today-here";
import { filterOf, isCompaniesAddress, loadTodayState } from "@/components/today/today-url";
import { TodayView } from "@/components/today/today-view";
import { START_COOKIE, startOf } from "@/lib/client/preferences";
import { todayPath } from "@/lib/client/queries/today/today-path";
import { ClockProvider } from "@/lib/client/use-now";
import { currentDemo } from "@/lib/server/pages/current-demo";
import { requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";
import { firstToday } from "@/lib/server/pages/first-today";
import { isPlainVisit, withQuery } from "@/lib/server/pages/page-address";
import "@/app/styles/flat-rows.css";
import "@/app/styles/today.css";

export default async function TodayPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const person = await requirePerson();
  const companies = visibleCompanies(person);
  const [only, another] = companies;
  // The list of companies says what to do about it.
  if (only === undefined) redirect("/companies");
  if (another === undefined) redirect(`/${only.slug}`);
  const chosen = startOf((await cookies()).get(START_COOKIE)?.value);
  const start = companies.find(({ slug }) => slug === chosen);
  if (start !== undefined && (await isPlainVisit())) redirect(`/${start.slug}`);
  const demo = currentDemo(person);
  const search = await searchParams;
  if (isCompaniesAddress(search)) redirect(await withQuery("/companies"));
  const state = loadTodayState(search);
  const filter = filterOf(state);
  const path = todayPath(filter);
  const { today, nowMs, rhythmMs, ...rest } = await firstToday(person, path, state.order);
  const first = today === null ? null : { path, at: filter.at, view: today, receivedMs: nowMs };
  return (
    <ClockProvider nowMs={nowMs}>
      <TodayHereProvider first={first} rhythmMs={rhythmMs}>
        <Header person={person} company={null} live={<ViewLive />} />
        <ViewBar />
        <main id="main" tabIndex={-1}>
          <TodayView customers={companies.length} rhythmMs={rhythmMs} {...rest}>
            {demo !== null && demo.mayManage && !demo.hasOthers ? <FirstSteps /> : null}
          </TodayView>
        </main>
      </TodayHereProvider>
    </ClockProvider>
  );
}
