import { WallAgain } from "@/components/wall/wall-again";

/** The same for a company that is missing and for one that this screen does not show. */
export default function WallNotFound() {
  return (
    <WallAgain
      title="No such company"
      sentence="This display doesn’t show that company. Retrying automatically."
    />
  );
}
