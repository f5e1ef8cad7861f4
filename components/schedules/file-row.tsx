"use client";

import { memo } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Link } from "@/components/ui/link";
import type { FileMarks as Marks, ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import { fileTypeText, integrationSentence, integrationText } from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime } from "@/lib/domain/words/format";
import { dateAndTime } from "@/lib/domain/words/dates";
import { BaselineMark } from "@/components/marks/baseline-mark";
import { FileName } from "@/components/marks/file-name";
import { schedulePath } from "@/lib/domain/file-address";
import type { Pending } from "@/components/deletions/pending";
import { PENDING_LABEL } from "@/components/deletions/words";
import { FileMarks } from "./file-marks";
import { NotLinked } from "./not-linked";
import { rowWords } from "./words";

/** One file of the list; a placeholder while it isn't loaded. */
export const FileRow = memo(function FileRow({
  file,
  place,
  isTabStop,
  marks,
  integrationName,
  isSelected,
  canDelete,
  pending,
  onCheck,
  onDelete,
}: {
  file: ScheduleFileRow | undefined;
  /** Zero-based. */
  place: number;
  isTabStop: boolean;
  marks: Marks | undefined;
  /** Of its integration; null: none. */
  integrationName: string | null;
  isSelected: boolean;
  canDelete: boolean;
  /** Its current action; undefined: none. */
  pending: Pending | undefined;
  onCheck: (place: number, isRange: boolean) => void;
  onDelete: (file: ScheduleFileRow) => void;
}) {
  const { slug } = useLiveCompany();
  const timeZone = useZone();
  const row = {
    role: "row",
    "aria-rowindex": place + 2,
    tabIndex: isTabStop ? 0 : -1,
    "data-line": place,
  } as const;
  if (file === undefined) {
    return (
      <div {...row} className="file-line" aria-busy="true">
        <span role="gridcell" className="file-name text-ink-3">
          …
        </span>
      </div>
    );
  }
  const uploadedMs = instantMs(file.created_at);
  const project = file.customer_project?.name;
  return (
    <div
      {...row}
      aria-selected={canDelete ? isSelected : undefined}
      className={`file-line ${isSelected ? "is-selected" : ""} ${pending === undefined ? "" : "is-pending"}`}
    >
      {canDelete ? (
        <span role="gridcell" className="file-check">
          <Checkbox
            label={rowWords.select(inOwnOrder(file.name))}
            checked={isSelected && pending === undefined}
            disabled={pending !== undefined}
            tabIndex={-1}
            data-cell="check"
            className="h-full w-full"
            onChange={(event) =>
              onCheck(place, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
            }
          />
        </span>
      ) : null}
      <span role="presentation" className="file-named">
        <span role="rowheader" className="file-name" title={inOwnOrder(file.name)}>
          <Link
            href={schedulePath(slug, file.id)}
            tabIndex={-1}
            data-cell="name"
            className="hover:underline"
          >
            <FileName name={file.name} />
          </Link>
          {pending === undefined ? null : (
            <span className="file-pending">{PENDING_LABEL[pending]}</span>
          )}
        </span>
        <span role="gridcell" className="file-marks">
          <FileMarks name={file.name} marks={marks} />
        </span>
      </span>
      <span role="gridcell" className="file-type">
        {fileTypeText(file.file_type)}
      </span>
      <span role="gridcell" className="file-baseline">
        {file.is_baseline ? <BaselineMark /> : null}
      </span>
      <span role="gridcell" className="file-project" title={project}>
        {project === undefined ? null : <bdi>{project}</bdi>}
      </span>
      <span role="gridcell" className="file-uploaded">
        {uploadedMs === null ? (
          file.created_at
        ) : (
          <time dateTime={file.created_at} title={absoluteTime(uploadedMs, timeZone)}>
            {dateAndTime(uploadedMs, timeZone)}
          </time>
        )}
      </span>
      {file.partner_token_id === null ? (
        <span role="gridcell" className="file-linked is-none">
          <NotLinked />
        </span>
      ) : (
        <span
          role="gridcell"
          className="file-linked"
          title={integrationSentence(file.partner_token_id, integrationName)}
        >
          <bdi>{integrationText(file.partner_token_id, integrationName)}</bdi>
        </span>
      )}
      {canDelete ? (
        <span role="gridcell" className="file-delete">
          {pending === undefined ? (
            <button
              type="button"
              tabIndex={-1}
              data-cell="delete"
              data-act={file.id}
              aria-label={rowWords.deleteOne(inOwnOrder(file.name))}
              title={rowWords.delete}
              onClick={() => onDelete(file)}
            >
              <svg width="12" height="12" viewBox="0 0 16 16" aria-hidden="true">
                <path
                  d="M1.5 4h13M6 4V1.8h4V4M3.2 4l.9 10.2h7.8L12.8 4M6.5 6.8v4.8M9.5 6.8v4.8"
                  fill="none"
                  stroke="currentColor"
                  strokeWidth="1.4"
                />
              </svg>
              <span className="file-delete-word">{rowWords.delete}</span>
            </button>
          ) : null}
        </span>
      ) : null}
    </div>
  );
});
