"use client";

import { Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { PLAN } from "./words";
import { lazyPart } from "@/components/ui/lazy-part";
import type { Scope } from "./plan-dialog";

const PlanDialog = lazyPart(() => import("./plan-dialog"));

/** Opens the dialog for a quiet time. @param scopes possible scopes; the first is the default */
export function PlanQuiet({ company, scopes }: { company: string; scopes: readonly Scope[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {PLAN}
      </Button>
      <Suspense>
        {isOpen ? (
          <PlanDialog company={company} scopes={scopes} onClose={() => setIsOpen(false)} />
        ) : null}
      </Suspense>
    </>
  );
}
