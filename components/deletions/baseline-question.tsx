"use client";

import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { baselineLoss, baselinesLeft } from "@/lib/domain/words/file-words";
import { FileFacts } from "./file-facts";
import { nameToType, typedSoFar } from "@/components/marks/typed-name";
import { TypedField } from "./typed-field";
import { MATCHES, fileFacts, typedName } from "./words";

/**
 * Consequences of deleting a baseline, and a field to type its name.
 * @param known known baselines of its project, including itself; null when unknown
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
            <dt>{fileFacts.baselinesLeft}</dt>
            <dd>{baselinesLeft(known)}</dd>
          </>
        )}
      </FileFacts>
      <TypedField
        label={wanted === String(file.id) ? typedName.askId(wanted) : typedName.askName}
        value={typed}
        onChange={onType}
        onEnter={onEnter}
        note={soFar.isWhole ? MATCHES : typedName.soFar(soFar.matching, soFar.length)}
      />
    </>
  );
}
