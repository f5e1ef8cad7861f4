"use client";

import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { SharePage } from "@/components/drill-down/share/share-page";
import { filesDate } from "@/components/shell/chat-statement";
import { Crumbs } from "@/components/shell/crumbs";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { lazyPart } from "@/components/ui/lazy-part";
import { statusOf } from "@/lib/client/api";
import { scheduleFileQuery } from "@/lib/client/queries/schedule-files";
import type { FileMarks, ScheduleFileView } from "@/lib/contracts/schedule-files";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import { NO_DELETE_SCOPE, NOT_LINKED_SENTENCE } from "@/lib/domain/words/file-words";
import { jsonText } from "@/lib/domain/text/json-text";
import { instantMs } from "@/lib/domain/time/instant";
import { dateAndTime } from "@/lib/domain/words/dates";
import { absoluteTime } from "@/lib/domain/words/format";
import { BaselineMark } from "@/components/marks/baseline-mark";
import {
  DELETE_FILE,
  isKeptDeletion,
  type KeptDeletion,
} from "@/components/deletions/kept-deletion";
import { FileFacts } from "@/components/deletions/file-facts";
import { FileName } from "@/components/marks/file-name";
import { schedulePath, schedulesPath } from "@/lib/domain/file-address";
import { Gone } from "./gone";
import { PENDING_LABEL } from "@/components/deletions/words";
import { showsNothing } from "@/components/marks/typed-name";
import { usePendingFiles } from "@/components/deletions/use-pending-files";
import { PageHead } from "@/components/ui/page-head";
import { IndexTrouble } from "./index-trouble";
import { UnknownFile } from "./unknown-file";
import { baselinesText, fileSentence, fileWords, markWords, rowWords } from "./words";

const DeleteDialog = lazyPart(() => import("@/components/deletions/delete-dialog"));

/**
 * One schedule file with everything known about it.
 * @param id raw, from the address
 * @param first server data of the page; null: unavailable
 * @param mayDelete the person's permission
 */
export function FileView({
  id,
  first,
  mayDelete,
}: {
  id: string;
  first: ScheduleFileView | null;
  mayDelete: boolean;
}) {
  const { slug } = useLiveCompany();
  const { data, error } = useQuery({
    ...scheduleFileQuery(slug, id),
    ...(first === null ? {} : { initialData: first }),
  });
  if (statusOf(error) === 404) return <UnknownFile />;
  if (data === undefined) {
    return (
      <PageHead
        above={<Crumbs trail={[{ label: fileWords.crumb, href: schedulesPath(slug) }]} />}
        title={fileWords.title(id)}
        below={
          <p role="status" className="mt-1 text-ink-2">
            {error === null ? fileWords.loading : fileWords.silent}
          </p>
        }
      />
    );
  }
  return <Known view={data} mayDelete={mayDelete} />;
}

function Known({ view, mayDelete }: { view: ScheduleFileView; mayDelete: boolean }) {
  const { slug, name: company } = useLiveCompany();
  const timeZone = useZone();
  const { file, scopes, project_baselines: baselines } = view;
  const goneMs = instantMs(view.gone_at);
  const aboutBaselines = baselinesText(view);
  const [isAsking, setIsAsking] = useState(false);
  const [kept, setKept] = useState<KeptDeletion | null>(null);
  useResumableDialog(DELETE_FILE, isKeptDeletion, (found) => {
    setKept(found);
    setIsAsking(true);
  });
  const pending = usePendingFiles(mayDelete).get(file.id);
  const canDelete = mayDelete && scopes.delete === true && goneMs === null && pending === undefined;
  const fileName = showsNothing(file.name) ? fileWords.noName : inOwnOrder(file.name);
  const at = (text: string) => absoluteTime(instantMs(text) ?? Number.NaN, timeZone);
  return (
    <>
      <PageHead
        above={
          <Crumbs
            trail={[
              { label: fileWords.crumb, href: schedulesPath(slug) },
              { label: fileName, href: null },
            ]}
          />
        }
        title={
          <>
            <FileName name={file.name} isExact />
            {file.is_baseline ? (
              <BaselineMark className="ml-3 rounded border border-ink py-px pr-2 pl-1.5 align-[4px] tracking-normal" />
            ) : null}
          </>
        }
        below={
          <p className="mt-1 text-ink-2">
            {goneMs !== null ? (
              <Gone id={file.id} goneMs={goneMs} />
            ) : pending === undefined ? (
              fileWords.lastSeen(at(view.last_seen_at))
            ) : (
              fileWords.pending(PENDING_LABEL[pending], fileWords.lastSeen(at(view.last_seen_at)))
            )}
          </p>
        }
        actions={
          <>
            {canDelete ? (
              <Button onClick={() => setIsAsking(true)}>
                {rowWords.delete}
                <span className="sr-only"> {inOwnOrder(file.name)}</span>
              </Button>
            ) : null}
            <SharePage
              subject={`${fileName} · ${company}`}
              say={(said) => {
                const day = (ms: number) => dateAndTime(ms, said.timeZone);
                return fileSentence(file, {
                  uploaded: day(instantMs(file.created_at) ?? Number.NaN),
                  gone: goneMs === null ? null : day(goneMs),
                  pending: pending === undefined ? "" : PENDING_LABEL[pending],
                });
              }}
              date={(said) =>
                filesDate({ as_of: view.last_seen_at, reason: view.index.reason }, said)
              }
            />
          </>
        }
      />
      <IndexTrouble index={view.index} />
      <div className="two-columns is-even">
        <div className="min-w-0">
          <section className="panel">
            <header>
              <h2>{fileWords.heading}</h2>
            </header>
            <FileFacts file={file} />
            {file.partner_token_id === null ? (
              <p className="text-xs text-ink-2">{NOT_LINKED_SENTENCE}</p>
            ) : null}
          </section>
          {aboutBaselines === null ? null : (
            <section className="panel">
              <header>
                <h2>{fileWords.baselines}</h2>
              </header>
              <p className="text-ink-2">{aboutBaselines}</p>
            </section>
          )}
          <SimilarFiles marks={view.marks} />
          <RecordedTimes view={view} />
          {mayDelete && scopes.delete === false ? (
            <p className="text-xs text-ink-2">{NO_DELETE_SCOPE}</p>
          ) : null}
        </div>
        <RawFields asGiven={view.as_given} />
      </div>
      {isAsking ? (
        <Suspense>
          <DeleteDialog
            file={kept?.file ?? file}
            knownBaselines={baselines}
            kept={kept}
            onClose={() => {
              setIsAsking(false);
              setKept(null);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** Files with the same name or one that looks the same, and the later version; nothing if there are none. */
function SimilarFiles({ marks }: { marks: FileMarks }) {
  const { slug } = useLiveCompany();
  const { same_name: same, looks_like: alike, superseded_by: later } = marks;
  if (same === 0 && alike === null && later === null) return null;
  const link = ({ id, name }: { id: number; name: string }) => (
    <Link href={schedulePath(slug, id)} className="underline underline-offset-3">
      <FileName name={name} />
      {markWords.withId(id)}
    </Link>
  );
  return (
    <section className="panel wrap-anywhere text-ink-2">
      <header>
        <h2>{markWords.heading}</h2>
      </header>
      {later === null ? null : (
        <p>
          {markWords.supersededSentence} {link(later)}
        </p>
      )}
      {same === 0 ? null : <p>{markWords.sameSentence(same)}</p>}
      {alike === null ? null : (
        <p>
          {markWords.alikeSentence} {link(alike)}
        </p>
      )}
    </section>
  );
}

/** When the list of files contained it. */
function RecordedTimes({ view }: { view: ScheduleFileView }) {
  const timeZone = useZone();
  const goneMs = instantMs(view.gone_at);
  const at = (text: string) => absoluteTime(instantMs(text) ?? Number.NaN, timeZone);
  return (
    <section className="panel">
      <header>
        <h2>{fileWords.record}</h2>
      </header>
      <dl className="key-values">
        <dt>{fileWords.recordFirst}</dt>
        <dd>{at(view.first_seen_at)}</dd>
        <dt>{fileWords.recordLast}</dt>
        <dd>{at(view.last_seen_at)}</dd>
        {goneMs === null ? null : (
          <>
            <dt>{fileWords.recordGone}</dt>
            <dd>{absoluteTime(goneMs, timeZone)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

function RawFields({ asGiven }: { asGiven: ScheduleFileView["as_given"] }) {
  return (
    <section className="panel min-w-0">
      <header>
        <h2>{fileWords.raw}</h2>
        <p>{fileWords.rawNote}</p>
      </header>
      <dl className="raw-fields">
        {Object.entries(asGiven).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="col-span-2">{jsonText(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
