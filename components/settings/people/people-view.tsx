"use client";

import { Suspense } from "react";
import { DataTable } from "@/components/resource/data-table";
import {
  ResourceList,
  ResourcePage,
  ResourcePager,
  ResourceTools,
} from "@/components/resource/resource-page";
import { RowActions } from "@/components/resource/row-actions";
import { useListAddress, useResource } from "@/components/resource/use-resource";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Segmented } from "@/components/ui/segmented";
import { ApiError, statusOf } from "@/lib/client/api";
import { peoplePath } from "@/lib/client/people-path";
import {
  changePerson,
  endSessions,
  invitePerson,
  makeLink,
  peopleQuery,
  resetSecondFactor,
} from "@/lib/client/queries/people";
import type {
  Invitation,
  PasswordLink,
  PeopleView as View,
  PersonChange,
  PersonEntry,
} from "@/lib/contracts/people";
import { fullMoment } from "@/lib/domain/words/dates";
import {
  NO_INVITATION,
  PEOPLE_DIALOG,
  isKeptPeople,
  keptPeople,
  type Sure,
  type WrittenChange,
  type WrittenInvitation,
} from "./kept";
import { peopleColumns } from "./people-columns";
import { peopleParams } from "./people-url";
import * as words from "./words";

const InviteDialog = lazyPart(() => import("./invite-dialog"));
const EditDialog = lazyPart(() => import("./edit-dialog"));
const OnceDialog = lazyPart(() => import("@/components/resource/once-dialog"));
const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));

/** The dialog over the list. */
type Open =
  | { kind: "invite"; written: WrittenInvitation }
  | { kind: "edit"; person: PersonEntry; written: WrittenChange }
  | { kind: Sure; person: PersonEntry }
  | { kind: "made"; title: string; email: string; link: PasswordLink };

/**
 * All people who may sign in, and their rights.
 * @param isMailing links are also mailed
 * @param first data sent with the page, for the request `first.path`; null: none
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
  const timeZone = useZone();
  const { state, requested, narrow, onType, onPage } = useListAddress(peopleParams);
  const isFirst = first !== null && peoplePath(requested) === first.path;
  const { client, data, isError, dialog, open, close, attempt } = useResource(
    { ...peopleQuery(requested), ...(isFirst && { initialData: first.view }) },
    (error) => words.refusal(statusOf(error)),
    null as Open | null,
  );
  useResumableDialog(PEOPLE_DIALOG, isKeptPeople, (kept) => {
    if (kept.dialog === "invite") {
      open({ kind: "invite", written: kept.written });
      return;
    }
    const openAgain = ({ data: people }: View) => {
      const person = people.find(({ id }) => id === kept.person);
      if (person === undefined) return;
      open(
        kept.dialog === "edit"
          ? { kind: "edit", person, written: kept.written }
          : { kind: kept.dialog, person },
      );
    };
    // The people may arrive after the person's own data.
    client.ensureQueryData(peopleQuery(requested)).then(openAgain, () => {});
  });

  const invite = (invitation: Invitation) =>
    attempt(
      async () => {
        const { invitation: link } = await invitePerson(client, invitation);
        const title = words.linkDialog.invited(invitation.name.trim());
        return { kind: "made", title, email: invitation.email.trim(), link };
      },
      orConflict(words.EMAIL_TAKEN, "email"),
    );
  const change = (person: PersonEntry, changes: PersonChange) =>
    attempt(
      async () => void (await changePerson(client, person.id, changes)),
      orConflict(
        person.is_first_administrator ? words.FIRST_ADMINISTRATOR : words.LAST_ADMINISTRATOR,
      ),
    );
  const act = (action: "edit" | Sure, person: PersonEntry) =>
    open(
      action === "edit"
        ? { kind: action, person, written: asWritten(person) }
        : { kind: action, person },
    );
  const confirmed = (action: Sure, person: PersonEntry) => {
    if (action === "end") {
      return attempt(
        async () => void (await endSessions(client, person.id)),
        orConflict(words.LAST_ADMINISTRATOR),
      );
    }
    if (action === "reset") {
      return attempt(
        async () => void (await resetSecondFactor(client, person.id)),
        orConflict(words.NO_RESET),
      );
    }
    if (action !== "link") return change(person, { disabled: action !== "enable" });
    return attempt(
      async () => ({
        kind: "made",
        title: words.linkDialog.made(person.name),
        email: person.email,
        link: await makeLink(client, person.id),
      }),
      orConflict(words.NO_LINK),
    );
  };

  return (
    <ResourcePage
      title={data === undefined ? words.PEOPLE : words.headline(everyone(data))}
      subline={data && words.subline(data.counts)}
      note={words.note}
      actions={
        <Button look="primary" onClick={() => open({ kind: "invite", written: NO_INVITATION })}>
          {words.INVITE}
        </Button>
      }
    >
      <ResourceTools search={words.SEARCH} text={state.q} onType={onType}>
        <Segmented
          label={words.WHICH}
          value={state.which ?? "all"}
          options={words.WHICH_CHOICES}
          onChange={(value) => narrow({ which: value === "all" ? null : value })}
        />
      </ResourceTools>
      <ResourceList
        data={data}
        isError={isError}
        amountOf={(view) => view.data.length}
        words={words.listWords}
        onShowAll={() => narrow({ q: "", which: null })}
      >
        {(view) => (
          <DataTable
            label={words.PEOPLE}
            rows={view.data}
            keyOf={({ id }) => id}
            toneOf={({ status }) => (status === "disabled" ? "off" : "")}
            columns={[
              ...peopleColumns(companies),
              {
                title: words.listHead.actions,
                phone: "4 end",
                isActions: true,
                cell: (person) => (
                  <RowActions
                    name={person.name}
                    actions={actionsOf(person)}
                    words={words.actions}
                    onAct={(action) => act(action, person)}
                  />
                ),
              },
            ]}
          />
        )}
      </ResourceList>
      <ResourcePager words={words.pageWords} meta={data?.meta} onPage={onPage} />
      <Suspense>
        {dialog === null ? null : dialog.kind === "invite" ? (
          <InviteDialog
            first={dialog.written}
            companies={companies}
            isMailing={isMailing}
            onInvite={invite}
            onClose={close}
          />
        ) : dialog.kind === "edit" ? (
          <EditDialog
            person={dialog.person}
            first={dialog.written}
            companies={companies}
            onSave={(changes) => change(dialog.person, changes)}
            onAct={(action) => act(action, dialog.person)}
            onClose={close}
          />
        ) : dialog.kind === "made" ? (
          <OnceDialog
            title={dialog.title}
            words={words.linkDialog}
            secret={dialog.link.url}
            onClose={close}
            // The link is shown only once, so wait until the code is loaded.
            onMissing={() => undefined}
          >
            {words.linkDialog.mailed(dialog.link.mailed, dialog.email)}{" "}
            {words.linkDialog.until(fullMoment(Date.parse(dialog.link.expires_at), timeZone))}
          </OnceDialog>
        ) : (
          <ConfirmDialog
            key={dialog.kind}
            {...words.confirmWords(dialog.kind, dialog.person)}
            proof={{
              words: words.proofWords[dialog.kind],
              kept: () => keptPeople({ dialog: dialog.kind, person: dialog.person.id }),
            }}
            onDo={() => confirmed(dialog.kind, dialog.person)}
            onClose={close}
          />
        )}
      </Suspense>
    </ResourcePage>
  );
}

function actionsOf({ status, sessions }: PersonEntry): ("edit" | Sure)[] {
  if (status === "disabled") return ["enable"];
  if (status === "invited") return ["edit", "link", "cancel"];
  return sessions > 0 ? ["edit", "end"] : ["edit"];
}

function everyone({ counts: { active, invited, disabled } }: View): number {
  return active + invited + disabled;
}

/** A person's name and manual grants. */
function asWritten({ name, grants }: PersonEntry): WrittenChange {
  const byHand = grants.filter(({ because }) => because.kind === "hand");
  return { name, grants: byHand.map(({ role, company }) => ({ role, company })) };
}

/** @param sentence reason in case of a conflict */
/** @param field of the form that a conflict is about */
const orConflict = (problem: string, field?: string) => (error: unknown) =>
  error instanceof ApiError && error.code === "conflict"
    ? { problem, field }
    : words.refusal(statusOf(error));
