import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { FileView } from "@/components/schedules/file-view";
import { fileWords } from "@/components/schedules/words";
import { firstFile } from "@/lib/server/pages/first-files";
import { mayDeleteFiles, requireCompany } from "@/lib/server/pages/current-person";

type Props = { params: Promise<{ company: string; id: string }> };

/** Shared by the title and the page. */
const read = cache(async (slug: string, id: string) => {
  const { person, company } = await requireCompany(slug);
  const first = await firstFile(company.slug, id);
  if (first === "missing") notFound();
  return { person, company, first };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { company, id } = await params;
  const { first } = await read(company, id);
  return { title: fileWords.tab(first?.file.name ?? null, id) };
}

export default async function SchedulePage({ params }: Props) {
  const { company, id } = await params;
  const { person, company: shown, first } = await read(company, id);
  return (
    <main id="main" tabIndex={-1} className="page">
      <FileView key={id} id={id} first={first} mayDelete={mayDeleteFiles(person, shown)} />
    </main>
  );
}
