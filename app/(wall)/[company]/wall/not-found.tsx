import { WallAgain } from "@/components/wall/wall-again";
import { noSuchCompany } from "@/components/wall/words";

/** The same for a company that is missing and for one that this screen does not show. */
export default function WallNotFound() {
  return <WallAgain {...noSuchCompany} />;
}
