"use client";

import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { lazyPart } from "@/components/ui/lazy-part";
import { deletionsQuery, isOpen } from "@/lib/client/queries/deletions";
import { useOpenDeletion } from "./use-open-deletion";

const Dock = lazyPart(() => import("./deletion-dock"));

/**
 * The person's running deletions, on every page of a company. The dock is loaded only when there is
 * one.
 */
export function Deletions({ canDelete }: { canDelete: boolean }) {
  const { slug } = useLiveCompany();
  const { data } = useQuery({ ...deletionsQuery(slug), enabled: canDelete });
  const [openId] = useOpenDeletion();
  const isNeeded =
    openId !== null || data?.deletions.some((one) => one.is_own && isOpen(one)) === true;
  const [wasNeeded, setWasNeeded] = useState(isNeeded);
  if (isNeeded && !wasNeeded) setWasNeeded(true);
  if (!wasNeeded) return null;
  return (
    <Suspense>
      <Dock canDelete={canDelete} />
    </Suspense>
  );
}
