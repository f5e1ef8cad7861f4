"use client";

import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useDebouncedValue } from "@/components/list/use-debounced-value";
import { refusedFor, type Refused } from "@/components/session/refused";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { Pager } from "@/components/list/pager";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import { lazyPart } from "@/components/ui/lazy-part";
import { ApiError, statusOf } from "@/lib/client/api";
import { peoplePath } from "@/lib/client/people-path";
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
import {
  NO_INVITATION,
  PEOPLE_DIALOG,
  isKeptPeople,
  keptPeople,
  type Sure,
  type WrittenChange,
  type WrittenInvitation,
} from "./kept";
import { PeopleList } from "./people-list";
import { peopleParams, selectionIn } from "./people-url";
import {
  EMAIL_TAKEN,
  FIRST_ADMINISTRATOR,
  INVITE,
  LAST_ADMINISTRATOR,
  NO_LINK,
  PEOPLE,
  SEARCH,
  WHICH,
  headline,
  linkDialog,
  noMatches,
  notLoaded,
  note,
  pageWords,
  proofWords,
  refusal,
  subline,
  sureWords,
  whichWords,
} from "./words";
import "@/components/ui/page.css";
import "@/components/resource/resource.css";
import "./people.css";

const InviteDialog = lazyPart(() => import("./invite-dialog"));
const EditDialog = lazyPart(() => import("./edit-dialog"));
const LinkDialog = lazyPart(() => import("./link-dialog"));
const ConfirmDialog = lazyPart(() => import("@/components/session/confirm-dialog"));

const TYPED_MS = 250;

/** What stands over the list. */
type Open =
  | { kind: "invite"; written: WrittenInvitation }
  | { kind: "edit"; person: PersonEntry; written: WrittenChange }
  | { kind: Sure; person: PersonEntry }
  | { kind: "made"; title: string; email: string; link: PasswordLink };

/**
 * Everybody who may sign in, and what they may do.
 * @param isMailing links are mailed too
 * @param first what the server read with the page, asked for by `first.path`; null: nothing yet
 */
export function PeopleView({
  first,
  companies,
  isMailing,
}: {
  isMailing: boolean;
  first: { path: string; view: View } | null;
  companies: readonly { slug: string; name: string }[];
}) {
  const client = useQueryClient();
  const [state, setState] = useAddress(peopleParams, "push");
  const selection = selectionIn({ ...state, q: useDebouncedValue(state.q, TYPED_MS) });
  const isFirst = first !== null && peoplePath(selection) === first.path;
  const { data, isError } = useQuery({
    ...peopleQuery(selection),
    ...(isFirst && { initialData: first.view }),
  });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  useResumableDialog(PEOPLE_DIALOG, isKeptPeople, (kept) => {
    if (kept.dialog === "invite") {
      setOpen({ kind: "invite", written: kept.written });
      return;
    }
    const person = data?.data.find(({ id }) => id === kept.person);
    if (person === undefined) return;
    setOpen(
      kept.dialog === "edit"
        ? { kind: "edit", person, written: kept.written }
        : { kind: kept.dialog, person },
    );
  });

  const invite = (invitation: Invitation) =>
    attempt(EMAIL_TAKEN, async () => {
      const { invitation: link } = await invitePerson(client, invitation);
      const title = linkDialog.invited(invitation.name.trim());
      setOpen({ kind: "made", title, email: invitation.email.trim(), link });
    });
  const change = (person: PersonEntry, changes: PersonChange) =>
    attempt(person.is_first_administrator ? FIRST_ADMINISTRATOR : LAST_ADMINISTRATOR, async () => {
      await changePerson(client, person.id, changes);
      close();
    });
  const end = (person: PersonEntry) =>
    attempt(LAST_ADMINISTRATOR, async () => {
      await endSessions(client, person.id);
      close();
    });
  const link = (person: PersonEntry) =>
    attempt(NO_LINK, async () => {
      const made = await makeLink(client, person.id);
      const { name, email } = person;
      setOpen({ kind: "made", title: linkDialog.made(name), email, link: made });
    });
  const act = (which: "edit" | Sure, person: PersonEntry) =>
    setOpen(
      which === "edit" ? { kind: which, person, written: asItIs(person) } : { kind: which, person },
    );
  const doSurely = (which: Sure, person: PersonEntry) => {
    if (which === "end") return end(person);
    if (which === "link") return link(person);
    return change(person, { disabled: which !== "enable" });
  };

  return (
    <>
      <header className="page-head">
        <div className="min-w-0">
          <h1 className="page-title">{data === undefined ? PEOPLE : headline(everybody(data))}</h1>
          <p className="mt-0.5 text-ink-2 empty:hidden">{data && subline(data.counts)}</p>
        </div>
        <div className="page-actions">
          <Button
            look="primary"
            onClick={() => setOpen({ kind: "invite", written: NO_INVITATION })}
          >
            {INVITE}
          </Button>
        </div>
      </header>
      <div className="settings-tools">
        <SearchField
          maxLength={SEARCH_CHARACTERS}
          label={SEARCH}
          value={state.q}
          onType={(text) => setState({ q: text, page: 1 }, { how: "replace" })}
          className="settings-search"
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
        <Pager
          words={pageWords}
          page={data.meta.page}
          pages={data.meta.total_pages}
          total={data.meta.total_count}
          onPage={(page) => setState({ page })}
        />
      )}
      <p className="settings-note">{note}</p>
      <Suspense>
        {open === null ? null : open.kind === "invite" ? (
          <InviteDialog
            first={open.written}
            companies={companies}
            isMailing={isMailing}
            onInvite={invite}
            onClose={close}
          />
        ) : open.kind === "edit" ? (
          <EditDialog
            person={open.person}
            first={open.written}
            companies={companies}
            onSave={(changes) => change(open.person, changes)}
            onDisable={() => act("disable", open.person)}
            onLink={open.person.kind === "local" ? () => act("link", open.person) : null}
            onClose={close}
          />
        ) : open.kind === "made" ? (
          <LinkDialog
            title={open.title}
            email={open.email}
            link={open.link}
            onClose={close}
            // It is told only once: it waits for its dialog.
            onMissing={() => undefined}
          />
        ) : (
          <ConfirmDialog
            key={open.kind}
            words={sureWords(open.kind, open.person)}
            proof={proofWords[open.kind]}
            kept={() => keptPeople({ dialog: open.kind, person: open.person.id })}
            onDo={() => doSurely(open.kind, open.person)}
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

/** A person's name and the rights that were granted by hand. */
function asItIs({ name, grants }: PersonEntry): WrittenChange {
  const byHand = grants.filter(({ because }) => because.kind === "hand");
  return { name, grants: byHand.map(({ role, company }) => ({ role, company })) };
}

/** Null when it was done, else why it was not. @param conflict what 409 says here */
async function attempt(conflict: string, work: () => Promise<void>): Promise<Refused | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return refusedFor(error, () =>
      error instanceof ApiError && error.code === "conflict" ? conflict : refusal(statusOf(error)),
    );
  }
}
