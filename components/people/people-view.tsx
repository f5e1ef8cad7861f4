"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useSettled } from "@/components/list/use-settled";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import { ApiError, statusOf } from "@/lib/client/api";
import {
  changePerson,
  endSessions,
  invitePerson,
  makeLink,
  peopleQuery,
} from "@/lib/client/queries/people";
import { useAddress } from "@/lib/client/use-address";
import type {
  Invitation,
  PasswordLink,
  PeopleView as View,
  PersonChange,
  PersonEntry,
} from "@/lib/contracts/people";
import { PeopleList, type Act } from "./people-list";
import { peopleParams } from "./people-url";
import {
  EMAIL_TAKEN,
  INVITE,
  LAST_ADMINISTRATOR,
  NO_LINK,
  PEOPLE,
  SEARCH,
  WHICH,
  cancelDialog,
  disableDialog,
  endDialog,
  headline,
  linkDialog,
  noMatches,
  notLoaded,
  note,
  pageWords,
  refusal,
  subline,
  whichWords,
} from "./words";
import "@/components/ui/page.css";
import "./people.css";

const InviteDialog = lazy(() => import("./invite-dialog"));
const EditDialog = lazy(() => import("./edit-dialog"));
const LinkDialog = lazy(() => import("./link-dialog"));
const SureDialog = lazy(() => import("./sure-dialog"));

const PER_PAGE = 50;
const TYPED_MS = 250;

/** What stands over the list. */
type Open =
  | { kind: "invite" }
  | { kind: "edit" | "end" | "disable" | "cancel"; person: PersonEntry }
  | { kind: "link"; title: string; link: PasswordLink };

/** Everybody who may sign in, and what they may do. */
export function PeopleView({
  companies,
}: {
  companies: readonly { slug: string; name: string }[];
}) {
  const client = useQueryClient();
  const [state, setState] = useAddress(peopleParams, "push");
  const q = useSettled(state.q.trim(), TYPED_MS);
  const selection = { q, which: state.which, page: Math.max(1, state.page) };
  const { data, isError } = useQuery(peopleQuery(selection, PER_PAGE));
  const [open, setOpen] = useState<Open | null>(null);
  const [said, setSaid] = useState("");
  const close = () => setOpen(null);

  const invite = (invitation: Invitation) =>
    attempt(EMAIL_TAKEN, async () => {
      const { invitation: link } = await invitePerson(client, invitation);
      setOpen({ kind: "link", title: linkDialog.invited(invitation.name.trim()), link });
    });
  const change = (person: PersonEntry, changes: PersonChange) =>
    attempt(LAST_ADMINISTRATOR, async () => {
      await changePerson(client, person.id, changes);
      close();
    });
  const end = (person: PersonEntry) =>
    attempt(LAST_ADMINISTRATOR, async () => {
      await endSessions(client, person.id);
      close();
    });
  const link = async (person: PersonEntry) => {
    const problem = await attempt(NO_LINK, async () => {
      const made = await makeLink(client, person.id);
      setOpen({ kind: "link", title: linkDialog.made(person.name), link: made });
    });
    setSaid(problem ?? "");
  };
  const act = (which: Act, person: PersonEntry) => {
    setSaid("");
    if (which === "link") void link(person);
    else if (which === "enable") {
      void change(person, { disabled: false }).then((problem) => setSaid(problem ?? ""));
    } else setOpen({ kind: which, person });
  };

  return (
    <>
      <header className="page-head">
        <div className="min-w-0">
          <h1 className="page-title">{data === undefined ? PEOPLE : headline(everybody(data))}</h1>
          <p className="mt-0.5 text-ink-2 empty:hidden">{data && subline(data.counts)}</p>
        </div>
        <div className="page-actions">
          <Button look="primary" onClick={() => setOpen({ kind: "invite" })}>
            {INVITE}
          </Button>
        </div>
      </header>
      <div className="people-tools">
        <SearchField
          label={SEARCH}
          maxLength={200}
          value={state.q}
          onType={(text) => setState({ q: text, page: 1 }, { how: "replace" })}
          className="people-search"
        />
        <Segmented
          label={WHICH}
          value={state.which ?? "all"}
          options={(["all", "administrators", "local", "disabled"] as const).map((value) => ({
            value,
            label: whichWords[value],
          }))}
          onChange={(value) => setState({ which: value === "all" ? null : value, page: 1 })}
        />
        <p role="alert" className="text-failing-text empty:hidden">
          {said}
        </p>
      </div>
      {data === undefined ? (
        isError ? (
          <Empty title={notLoaded.title}>{notLoaded.sentence}</Empty>
        ) : (
          <div className="min-h-[300px]" aria-busy="true" />
        )
      ) : data.data.length === 0 ? (
        <Empty
          title={noMatches.title}
          action={
            <Button onClick={() => setState({ q: "", which: null, page: 1 })}>
              {noMatches.show}
            </Button>
          }
        >
          {noMatches.sentence}
        </Empty>
      ) : (
        <PeopleList people={data.data} companies={companies} onAct={act} />
      )}
      {data === undefined || data.meta.total_pages <= 1 ? null : (
        <nav aria-label={pageWords.label} className="people-pages">
          <Button
            disabled={data.meta.page <= 1}
            onClick={() => setState({ page: data.meta.page - 1 })}
          >
            {pageWords.previous}
          </Button>
          <Button
            disabled={data.meta.page >= data.meta.total_pages}
            onClick={() => setState({ page: data.meta.page + 1 })}
          >
            {pageWords.next}
          </Button>
          <span role="status">
            {pageWords.place(data.meta.page, data.meta.total_pages, data.meta.total_count)}
          </span>
        </nav>
      )}
      <p className="people-note">{note}</p>
      <Suspense>
        {open?.kind === "invite" ? (
          <InviteDialog companies={companies} onInvite={invite} onClose={close} />
        ) : open?.kind === "edit" ? (
          <EditDialog
            person={open.person}
            companies={companies}
            onSave={(changes) => change(open.person, changes)}
            onDisable={() => setOpen({ kind: "disable", person: open.person })}
            onLink={
              open.person.kind === "local"
                ? () => {
                    close();
                    void link(open.person);
                  }
                : null
            }
            onClose={close}
          />
        ) : open?.kind === "link" ? (
          <LinkDialog title={open.title} link={open.link} onClose={close} />
        ) : open === null ? null : (
          <SureDialog
            {...sureWords(open.kind, open.person)}
            onDo={() =>
              open.kind === "end" ? end(open.person) : change(open.person, { disabled: true })
            }
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

function everybody({ counts: { active, invited, disabled } }: View): number {
  return active + invited + disabled;
}

function sureWords(kind: "end" | "disable" | "cancel", { name, sessions }: PersonEntry) {
  const words = { end: endDialog, disable: disableDialog, cancel: cancelDialog }[kind];
  const act = {
    end: endDialog.end(sessions),
    disable: disableDialog.disable(name),
    cancel: cancelDialog.cancel,
  }[kind];
  return { title: words.title(name), sentence: words.sentence, keep: words.keep, act };
}

/** Null when it was done, else why it was not. @param conflict what 409 says here */
async function attempt(conflict: string, work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.code === "conflict") return conflict;
    return refusal(statusOf(error));
  }
}
