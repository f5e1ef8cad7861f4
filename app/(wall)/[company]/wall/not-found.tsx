import { WallAgain } from "@/components/wall/wall-again";
import { noSuchCompany } from "@/components/wall/words";

/** Same for a missing company and for one that this screen does not show. */
export default function WallNotFound() {
  return <WallAgain {...noSuchCompany} />;
}
