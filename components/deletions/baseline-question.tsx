"use client";

import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { baselineLoss, baselinesLeft } from "@/lib/domain/words/file-words";
import { count } from "@/lib/domain/words/format";
import { FileFacts } from "./file-facts";
import { nameToType, typedSoFar } from "@/components/marks/typed-name";
import { TypedField } from "./typed-field";

/**
 * What a baseline's deletion costs, and its name to be typed.
 * @param known baselines of its project that we know of, itself included; null when not known
 */
export function BaselineQuestion({
  file,
  known,
  typed,
  onType,
  onEnter,
}: {
  file: ScheduleFileRow;
  known: number | null;
  typed: string;
  onType: (typed: string) => void;
  onEnter: () => void;
}) {
  const wanted = nameToType(file);
  const soFar = typedSoFar(wanted, typed);
  return (
    <>
      <p className="mt-2.5 mb-3.5">{baselineLoss(file.customer_project?.name ?? null, known)}</p>
      <FileFacts file={file}>
        {known === null ? null : (
          <>
            <dt>Baselines left</dt>
            <dd>{baselinesLeft(known)}</dd>
          </>
        )}
      </FileFacts>
      <TypedField
        label={
          wanted === String(file.id)
            ? `Type the file ID, ${wanted}, to confirm`
            : "Type the file name to confirm"
        }
        value={typed}
        onChange={onType}
        onEnter={onEnter}
        note={
          soFar.isWhole
            ? "Matches"
            : `${count(soFar.matching)} of ${count(soFar.length)} characters match`
        }
      />
    </>
  );
}
