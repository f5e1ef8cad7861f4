"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Pager } from "@/components/list/pager";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { ListTable } from "@/components/ui/list-table";
import { deliveriesQuery } from "@/lib/client/queries/channels";
import { useNow } from "@/lib/client/use-now";
import type { Delivery } from "@/lib/contracts/delivery";
import { moment } from "@/lib/domain/words/format";
import { When } from "./channel-list";
import { DELIVERY_STATE, TO_KIND, deliveryWords as words, pageWords } from "./words";

/** Beyond these they are a number. */
const MOST_PROBLEMS = 20;

/** What was sent and what wasn't, to whom and why not; problems first. */
export function Deliveries() {
  const [page, setPage] = useState(1);
  const failed = useQuery(deliveriesQuery("failed", 1)).data;
  const unknown = useQuery(deliveriesQuery("unknown", 1)).data;
  const { data, isError } = useQuery(deliveriesQuery(null, page));
  const problems = [...(unknown?.data ?? []), ...(failed?.data ?? [])].slice(0, MOST_PROBLEMS);
  return (
    <>
      {problems.length === 0 ? null : (
        <div className="panel deliveries-panel">
          <header>
            <h2>{words.problems}</h2>
            <p>
              {words.problemCounts({
                unknown: unknown?.meta.total_count ?? 0,
                failed: failed?.meta.total_count ?? 0,
              })}
            </p>
          </header>
          <Table label={words.problems} deliveries={problems} />
        </div>
      )}
      <div className="panel deliveries-panel">
        <header>
          <h2>{words.title}</h2>
          <p>{words.note}</p>
        </header>
        {data === undefined ? (
          <p className="text-ink-2" role="status">
            {isError ? words.notLoaded : null}
          </p>
        ) : data.data.length === 0 ? (
          <p className="text-ink-2">{words.none}</p>
        ) : (
          <Table label={words.title} deliveries={data.data} />
        )}
        {data === undefined || data.meta.total_pages <= 1 ? null : (
          <Pager
            words={pageWords}
            page={data.meta.page}
            pages={data.meta.total_pages}
            total={data.meta.total_count}
            onPage={setPage}
          />
        )}
      </div>
    </>
  );
}

function Table({ label, deliveries }: { label: string; deliveries: readonly Delivery[] }) {
  return (
    <ListTable
      label={label}
      className="settings-list deliveries"
      columns={[words.due, words.message, words.to, words.state]}
    >
      {deliveries.map((delivery) => (
        <Row key={delivery.id} delivery={delivery} />
      ))}
    </ListTable>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  const { company, incident_id: incident, text, to, to_kind: kind, state, attempts } = delivery;
  const [first = ""] = text.split("\n");
  return (
    <tr className={state === "failed" ? "is-bad" : undefined}>
      <td className="delivery-due">
        <When at={delivery.due_at} none="" />
      </td>
      <th scope="row" className="delivery-text" title={text}>
        {company === null || incident === null ? (
          <bdi>{first}</bdi>
        ) : (
          <Link href={`/${company}/incidents/${incident}`} dir="auto">
            {first}
          </Link>
        )}
      </th>
      <td className="delivery-to">
        <bdi>{to}</bdi>
        <small>{TO_KIND[kind]}</small>
      </td>
      <td className="delivery-state">
        {state === "sent" || state === "queued" ? (
          DELIVERY_STATE[state]
        ) : (
          <b>{DELIVERY_STATE[state]}</b>
        )}
        {state === "sent" && attempts <= 1 ? null : (
          <small>
            {delivery.said === null ? null : <bdi>{delivery.said}</bdi>}{" "}
            {attempts > 0 ? words.attempts(attempts) : null}
            {delivery.next_at === null ? null : <Next at={delivery.next_at} isFirst={!attempts} />}
          </small>
        )}
      </td>
    </tr>
  );
}

function Next({ at, isFirst }: { at: string; isFirst: boolean }) {
  const timeZone = useZone();
  const text = useNow((nowMs) => words.next(moment(Date.parse(at), nowMs, timeZone)));
  return isFirst ? text : `, ${text}`;
}
