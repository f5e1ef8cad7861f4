"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { integrationsQuery } from "@/lib/client/queries/schedule-files";
import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { integrationSentence, integrationText } from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";
import { dateAndTime } from "@/lib/domain/words/dates";
import { zoneName } from "@/lib/domain/time/zone-name";
import { spelledOut } from "@/components/marks/typed-name";
import { fileFacts } from "./words";

/** A file's identifying facts, so that it can't be mistaken for another. */
export function FileFacts({ file, children }: { file: ScheduleFileRow; children?: ReactNode }) {
  const { slug, name: companyName } = useLiveCompany();
  const { partner_token_id: integration } = file;
  const { data: named } = useQuery({ ...integrationsQuery(slug), enabled: integration !== null });
  const integrationName =
    named?.data.find(({ partner_token_id: id }) => id === integration)?.name ?? null;
  const timeZone = useZone();
  const spelled = spelledOut(file.name);
  const uploadedMs = instantMs(file.created_at);
  return (
    <dl className="key-values wrap-anywhere">
      <dt>{fileFacts.file}</dt>
      <dd className="font-mono">{fileFacts.typeAndId(file.file_type, file.id)}</dd>
      {spelled === null ? null : (
        <>
          <dt>{fileFacts.exact}</dt>
          <dd className="font-mono">{spelled}</dd>
        </>
      )}
      <dt>{fileFacts.project}</dt>
      <dd>
        {file.customer_project === null ? (
          fileFacts.noProject
        ) : (
          <bdi>{file.customer_project.name}</bdi>
        )}
      </dd>
      <dt>{fileFacts.uploaded}</dt>
      <dd>
        {uploadedMs === null
          ? file.created_at
          : `${dateAndTime(uploadedMs, timeZone)} ${zoneName(uploadedMs, timeZone)}`}
      </dd>
      <dt>{fileFacts.integration}</dt>
      <dd title={integrationSentence(integration, integrationName)}>
        {integrationText(integration, integrationName)}
      </dd>
      <dt>{fileFacts.company}</dt>
      <dd>{companyName}</dd>
      {children}
    </dl>
  );
}
