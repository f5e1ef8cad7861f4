"use client";

import { lazy, Suspense, useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { Button } from "@/components/ui/button";
import { SHARE_LINK } from "./words";

const ShareDialog = lazy(() => import("./share-dialog"));

/** Leads to a link for people without an account. */
export function ShareLink({ partnerName }: { partnerName: string }) {
  const { slug } = useLiveCompany();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setIsOpen(true)}>
        {SHARE_LINK}
      </Button>
      <Suspense>
        {isOpen ? (
          <ShareDialog company={slug} partnerName={partnerName} onClose={() => setIsOpen(false)} />
        ) : null}
      </Suspense>
    </>
  );
}
