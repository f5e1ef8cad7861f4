import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { START_COOKIE, startOf } from "@/lib/client/preferences";
import { requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";
import { isPlainVisit, withQuery } from "@/lib/server/pages/page-address";

export default async function TodayPage() {
  const person = await requirePerson();
  const companies = visibleCompanies(person);
  const [only, another] = companies;
  if (only !== undefined && another === undefined) redirect(`/${only.slug}`);
  const chosen = startOf((await cookies()).get(START_COOKIE)?.value);
  const start = companies.find(({ slug }) => slug === chosen);
  if (start !== undefined && (await isPlainVisit())) redirect(`/${start.slug}`);
  redirect(await withQuery("/companies"));
}
