import type { SharedPage } from "@/lib/contracts/shared-page";
import { EndedPage } from "./ended-page";
import { IncidentPage } from "./incident-page";
import { PartnerPage } from "./partner-page";

/** The document of a share link, without scripts of its own: rendered once, on the server. */
export function SharedPageDocument({ page }: { page: SharedPage }) {
  switch (page.kind) {
    case "partner":
      return <PartnerPage page={page} />;
    case "incident":
      return <IncidentPage page={page} />;
    case "ended":
      return <EndedPage page={page} />;
  }
}
