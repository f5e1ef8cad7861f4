"use client";

import { Suspense } from "react";
import { DataTable, type Column } from "@/components/resource/data-table";
import {
  ResourceList,
  ResourcePage,
  ResourcePager,
  ResourceTools,
} from "@/components/resource/resource-page";
import { RowActions, actionLabel } from "@/components/resource/row-actions";
import { useListAddress, useResource } from "@/components/resource/use-resource";
import { When } from "@/components/resource/when";
import { useZone } from "@/components/shell/time/zone";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { statusOf } from "@/lib/client/api";
import { extendLink, linksQuery, revokeLink } from "@/lib/client/queries/links";
import { useNow } from "@/lib/client/use-now";
import type { LinkEntry } from "@/lib/contracts/links";
import { LINK_ENDS_SOON_MS } from "@/lib/domain/links/ends-soon";
import { moment } from "@/lib/domain/words/format";
import { partnerPath } from "@/lib/domain/partner-address";
import { linksParams } from "./links-url";
import * as words from "./words";

const ExtendDialog = lazyPart(() => import("./extend-dialog"));
const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));

const PER_PAGE = 50;

type Open = { action: "extend" | "revoke"; link: LinkEntry };

/** Share links by expiry: the person's own, or all of them for administrators. */
export function LinksView() {
  const { state, requested, narrow, onType, onPage } = useListAddress(linksParams);
  const { client, data, isError, dialog, open, close, attempt } = useResource(
    linksQuery(requested, PER_PAGE),
    (error) => words.refusal(statusOf(error)),
    null as Open | null,
  );
  return (
    <ResourcePage
      title={data === undefined ? words.LINKS : words.headline(data.counts.open)}
      subline={data && words.subline(data.counts.ending_soon)}
      note={words.note}
    >
      <ResourceTools search={words.SEARCH} text={state.q} onType={onType}>
        {data?.lists_everyones === true ? (
          <Segmented
            label={words.WHOSE}
            value={state.whose ?? "all"}
            options={words.WHOSE_CHOICES}
            onChange={(value) => narrow({ whose: value === "all" ? null : value })}
          />
        ) : null}
        <Segmented
          label={words.STATE}
          value={state.state ?? "all"}
          options={words.stateChoices(data?.counts ?? { open: 0, ended: 0 })}
          onChange={(value) => narrow({ state: value === "all" ? null : value })}
        />
        <p className="ml-auto text-ink-3 max-md:m-0">{words.OPENED_NOTE}</p>
      </ResourceTools>
      <ResourceList
        data={data}
        isError={isError}
        amountOf={(view) => view.data.length}
        isNarrowed={requested.q !== "" || requested.whose !== null || requested.state !== null}
        words={words.listWords}
        next={
          <Link href="/companies" className="button-link">
            {words.ALL_COMPANIES}
          </Link>
        }
        onShowAll={() => narrow({ q: "", whose: null, state: null })}
      >
        {(view) => (
          <DataTable
            label={words.LINKS}
            rows={view.data}
            keyOf={({ id }) => id}
            rowHeight="one-line"
            toneOf={(link) => (isOver(link) ? "off" : "")}
            columns={[
              ...COLUMNS,
              {
                title: words.listHead.actions,
                width: "w-[12%]",
                phone: "3 end",
                isActions: true,
                cell: (link) => <Actions link={link} onAct={(action) => open({ action, link })} />,
              },
            ]}
          />
        )}
      </ResourceList>
      <ResourcePager words={words.pageWords} meta={data?.meta} onPage={onPage} />
      <Suspense>
        {dialog === null ? null : dialog.action === "extend" ? (
          <ExtendDialog
            link={dialog.link}
            onExtend={(days) =>
              attempt(async () => void (await extendLink(client, dialog.link, days)))
            }
            onClose={close}
          />
        ) : (
          <ConfirmDialog
            title={words.revokeDialog.title(words.sharedText(dialog.link))}
            keep={words.revokeDialog.keep}
            act={words.revokeDialog.revoke}
            onDo={() => attempt(async () => void (await revokeLink(client, dialog.link)))}
            onClose={close}
          >
            {words.revokeDialog.sentence}
          </ConfirmDialog>
        )}
      </Suspense>
    </ResourcePage>
  );
}

const { listHead } = words;

const COLUMNS: readonly Column<LinkEntry>[] = [
  {
    title: listHead.what,
    width: "w-[25%]",
    phone: "1 start",
    isHeader: true,
    cell: ({ partner, incident, company }) => (
      <>
        <bdi>{partner}</bdi>
        {incident === null ? null : `, ${words.incidentText(incident)}`}{" "}
        <span className="font-normal text-ink-2">{words.at(company.name)}</span>
      </>
    ),
  },
  {
    title: listHead.for,
    width: "w-[12%]",
    phone: "2 start quiet",
    cell: (link) => <bdi>{link.for}</bdi>,
  },
  { title: listHead.asOf, phone: "2 end quiet", cell: words.showsText },
  {
    title: listHead.by,
    phone: "none",
    cell: ({ made_by: maker }) => <bdi>{maker.is_you ? words.YOU : maker.name}</bdi>,
  },
  { title: listHead.made, phone: "none", cell: (link) => <When at={link.created_at} /> },
  {
    title: listHead.ends,
    width: "w-[15%]",
    phone: "1 end",
    isLabelled: (link) => !isOver(link),
    cell: (link) => <Ends link={link} />,
  },
  {
    title: listHead.last,
    phone: "3 start small",
    isLabelled: ({ last_opened_at: at }) => at !== null,
    cell: ({ last_opened_at: at, opened }) => (
      <>
        <When at={at} none={words.NOT_YET} />
        {at === null ? null : <span className="md:hidden">{words.openedTimes(opened)}</span>}
      </>
    ),
  },
  {
    title: listHead.opened,
    width: "w-[6%]",
    phone: "none",
    isNumeric: true,
    className: "link-opened",
    cell: ({ opened }) => (opened > 0 ? opened : null),
  },
];

const isOver = ({ state }: LinkEntry) => state === "expired" || state === "revoked";

function Actions({ link, onAct }: { link: LinkEntry; onAct: (action: Open["action"]) => void }) {
  const { company, partner, incident } = link;
  const timeZone = useZone();
  const createdMs = Date.parse(link.created_at);
  const name = useNow((nowMs) => words.linkName(link, moment(createdMs, nowMs, timeZone)));
  if (!isOver(link)) {
    return (
      <RowActions name={name} actions={["extend", "revoke"]} words={words.actions} onAct={onAct} />
    );
  }
  return (
    <Link
      href={
        incident === null
          ? partnerPath(company.slug, partner)
          : `/${company.slug}/incidents/${incident}`
      }
      className="settings-act"
      aria-label={actionLabel(words.actions.again, name)}
    >
      {words.actions.again}
    </Link>
  );
}

/** When a link expires, emphasized shortly before; or when and how it ended. */
function Ends({ link }: { link: LinkEntry }) {
  const { state, expires_at: expiresAt, revoked_at: revokedAt, revoked_by: by } = link;
  const endMs = Date.parse(expiresAt);
  const isSoon = useNow((nowMs) => state === "open" && endMs - nowMs < LINK_ENDS_SOON_MS);
  return (
    <>
      <When
        at={revokedAt ?? expiresAt}
        say={(when) => words.endText(state, when, by ?? "")}
        className={isSoon ? "font-strong" : undefined}
      />
      {state === "paused" ? <small>{words.PAUSED}</small> : null}
    </>
  );
}
