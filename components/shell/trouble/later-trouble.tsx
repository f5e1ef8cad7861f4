import { useEffect } from "react";
import { later } from "@/components/ui/later";
import { useSettledPage } from "@/components/shell/use-settled-page";
import { NO_NEW_DATA } from "@/components/shell/words";

/** What a page says while it gets no new data. No page in order pays for it at first paint. */
const load = () => import("./trouble");

export const TroubleBanner = later(
  async () => ({ default: (await load()).TroubleBanner }),
  <p className="banner" role="status">
    {NO_NEW_DATA}
  </p>,
);
export const ConfidenceNote = later(async () => ({ default: (await load()).ConfidenceNote }), null);

/** Lets the sentences come before the server that has them can be lost. */
export function useTroubleAhead() {
  const isSettled = useSettledPage();
  useEffect(() => {
    // Where they can't be had now, they are asked for again when they are wanted.
    if (isSettled) load().catch(() => {});
  }, [isSettled]);
}
