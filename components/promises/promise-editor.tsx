"use client";

import "@/components/resource/without-eval";
import { Suspense, useState, type FormEvent } from "react";
import { EditorFooter } from "@/components/resource/editor-footer";
import { ResourcePage } from "@/components/resource/resource-page";
import { formProblemIn, type Refused } from "@/components/session/refused";
import { Crumbs } from "@/components/shell/crumbs";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { afterEdit, FormFields } from "@/components/ui/form/field-problem";
import { refusedTexts } from "@/components/ui/form/typed-input";
import { useSending } from "@/components/ui/form/use-sending";
import { lazyPart } from "@/components/ui/lazy-part";
import { useServerClock } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { PromiseRequest, type PromiseView } from "@/lib/contracts/promises";
import { promisesAddress } from "@/lib/domain/deadlines/promise-tally";
import { dayOf } from "@/lib/domain/time/day";
import { changesOf, draftOf, draftProblem, newDraft, requestOf } from "./draft";
import { PromiseFields } from "./promise-fields";
import { Rehearsal } from "./rehearsal";
import { promiseHeading, subjectIn } from "./listed";
import { ALL_FEEDS, PROMISES, deleteDialog, formWords as words } from "./words";

const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));

/**
 * Edits one promise, beside a rehearsal of it. Default export for `lazyPart`.
 * @param promise null: a new one
 * @param onSave given the whole request, and what differs from before; like `onDelete`, resolves to null on success, else to the reason; a new one has no `onDelete`
 */
export default function PromiseEditor({
  promise,
  onSave,
  onDelete,
  onBack,
}: {
  promise: PromiseView | null;
  onSave: (request: PromiseRequest, changes: Partial<PromiseRequest>) => Promise<Refused | null>;
  onDelete: (() => Promise<Refused | null>) | null;
  onBack: () => void;
}) {
  const { slug, view } = useLiveCompany();
  const rows = view?.rows ?? NO_ROWS;
  const own = useZone();
  const clock = useServerClock();
  const [first] = useState(() => (promise === null ? newDraft(own) : draftOf(promise)));
  const [draft, setDraft] = useState(first);
  const [isDeleting, setIsDeleting] = useState(false);
  const today = dayOf(clock.nowMs(), draft.timeZone);
  const request = requestOf(draft, today);
  const { isBusy, refused, setRefused, send } = useSending(() =>
    onSave(request, changesOf(requestOf(first, today), request)),
  );
  const isWhole = draft.isChosen && PromiseRequest.safeParse(request).success;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const problem = draftProblem(draft, promise === null ? null : first, {
      today,
      refused: refusedTexts(event.currentTarget),
    });
    if (problem === null) void send();
    else setRefused(problem);
  };
  return (
    <ResourcePage
      above={
        <Crumbs
          trail={[
            { label: PROMISES, href: promisesAddress(slug) },
            { label: promise === null ? words.add : words.edit, href: null },
          ]}
        />
      }
      title={
        draft.isChosen
          ? promiseHeading({ subject: subjectIn(rows, request), promise: request }, ALL_FEEDS)
          : words.add
      }
      subline={words.sentence}
    >
      <div className="two-columns is-even">
        <form
          className="border-t border-line-strong"
          onSubmit={submit}
          // We show our own messages for missing values.
          noValidate
        >
          <FormFields problem={formProblemIn(refused)} className="pt-3">
            <PromiseFields
              draft={draft}
              isNew={promise === null}
              today={today}
              onChange={(changes) => {
                setDraft({ ...draft, ...changes });
                setRefused(afterEdit(refused));
              }}
            />
          </FormFields>
          <EditorFooter
            words={words}
            isBusy={isBusy}
            onCancel={onBack}
            onDelete={onDelete === null ? null : () => setIsDeleting(true)}
          />
        </form>
        <Rehearsal request={isWhole ? request : null} />
      </div>
      {isDeleting && onDelete !== null ? (
        <Suspense>
          <ConfirmDialog {...deleteDialog} onDo={onDelete} onClose={() => setIsDeleting(false)} />
        </Suspense>
      ) : null}
    </ResourcePage>
  );
}

const NO_ROWS: readonly SyncStatusRow[] = [];
