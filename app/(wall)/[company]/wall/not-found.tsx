import { WallAgain } from "@/components/wall/wall-again";

/** The same for a company that is missing and for one that this screen does not show. */
export default function WallNotFound() {
  return (
    <WallAgain
      title="Not here"
      sentence="This screen shows no such company. It looks again by itself."
    />
  );
}
