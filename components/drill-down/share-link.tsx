"use client";

import { Suspense, useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { SHARE_LINK } from "./words";

const ShareDialog = lazyPart(() => import("./share-dialog"));

/** Opens the dialog for a link for people without an account. */
export function ShareLink({
  partnerName,
  incident = null,
}: {
  partnerName: string;
  /** Number of the shared incident; null: a partner is shared. */
  incident?: number | null;
}) {
  const { slug } = useLiveCompany();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setIsOpen(true)}>
        {SHARE_LINK}
      </Button>
      <Suspense>
        {isOpen ? (
          <ShareDialog
            company={slug}
            partnerName={partnerName}
            incident={incident}
            onClose={() => setIsOpen(false)}
          />
        ) : null}
      </Suspense>
    </>
  );
}
