import { AllCatchUp } from "./all-catch-up";
import type { AtFirst } from "./catch-up-frame";
import { CompanyCatchUp } from "./company-catch-up";

/** @param slug null: of all companies */
export function CatchUpLines({ slug, ...atFirst }: { slug: string | null } & AtFirst) {
  return slug === null ? <AllCatchUp {...atFirst} /> : <CompanyCatchUp slug={slug} {...atFirst} />;
}
