import { AllCatchUp } from "./all-catch-up";
import { CompanyCatchUp } from "./company-catch-up";

/** @param slug null: of all companies */
export default function CatchUpLines({
  slug,
  isOpenAtFirst,
}: {
  slug: string | null;
  isOpenAtFirst: boolean;
}) {
  return slug === null ? (
    <AllCatchUp isOpenAtFirst={isOpenAtFirst} />
  ) : (
    <CompanyCatchUp slug={slug} isOpenAtFirst={isOpenAtFirst} />
  );
}
