"use client";

import { useQuery } from "@tanstack/react-query";
import { changesQuery } from "@/lib/client/queries/changes";
import { countChanges } from "@/lib/domain/incidents/changes";
import { CatchUpFrame, type AtFirst } from "./catch-up-frame";
import { ChangesList } from "./changes-list";
import { useCatchUp, useVisit } from "./use-catch-up";
import { changesText } from "./words";

/** Changes in a company since the person's last visit, or since the moment in the address. */
export default function CompanyCatchUp({ slug, ...atFirst }: { slug: string } & AtFirst) {
  const catchUp = useCatchUp(slug);
  const { since } = catchUp;
  const { data, error } = useQuery({ ...changesQuery(slug, since ?? ""), enabled: since !== null });
  useVisit(slug, data !== undefined && catchUp.isWhole);
  // A stale response would claim that nothing changed since.
  const shown = error === null ? data : undefined;
  return (
    <CatchUpFrame
      catchUp={catchUp}
      board={`/${slug}`}
      atFirst={atFirst}
      said={
        shown === undefined
          ? null
          : changesText({
              ...countChanges(shown),
              not_observed_seconds: shown.not_observed_seconds,
              open_count: shown.open_count,
            })
      }
      error={error}
    >
      {shown === undefined ? null : <ChangesList changes={shown} />}
    </CatchUpFrame>
  );
}
