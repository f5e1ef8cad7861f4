"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DataTable, type Column } from "@/components/resource/data-table";
import { ResourcePager } from "@/components/resource/resource-page";
import { When } from "@/components/resource/when";
import { Link } from "@/components/ui/link";
import { deliveriesQuery } from "@/lib/client/queries/channels";
import type { Delivery } from "@/lib/contracts/delivery";
import { DELIVERY_STATE, TO_KIND, deliveryWords as words, pageWords } from "./words";

/** More problems are shown as a number. */
const MAX_PROBLEMS = 20;

/** Sent and failed messages with destination and reason, problems first. */
export function Deliveries() {
  const [page, setPage] = useState(1);
  const failed = useQuery(deliveriesQuery("failed", 1)).data;
  const unknown = useQuery(deliveriesQuery("unknown", 1)).data;
  const { data, isError } = useQuery(deliveriesQuery(null, page));
  const problems = [...(unknown?.data ?? []), ...(failed?.data ?? [])].slice(0, MAX_PROBLEMS);
  return (
    <>
      {problems.length === 0 ? null : (
        <div className="panel mt-7 border-t-0">
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
      <div className="panel mt-7 border-t-0">
        <header>
          <h2>{words.title}</h2>
          <p>{words.note}</p>
        </header>
        {data === undefined ? (
          <p className="text-ink-2" role="status">
            {isError ? words.notLoaded : null}
          </p>
        ) : data.data.length === 0 ? (
          <p className="text-ink-2">
            {words.none}{" "}
            <Link href="/settings/rules" className="text-ink underline underline-offset-3">
              {words.toRules}
            </Link>
          </p>
        ) : (
          <Table label={words.title} deliveries={data.data} />
        )}
        <ResourcePager words={pageWords} meta={data?.meta} onPage={setPage} />
      </div>
    </>
  );
}

function Table({ label, deliveries }: { label: string; deliveries: readonly Delivery[] }) {
  return (
    <DataTable
      label={label}
      className="md:[&_tbody>tr>*]:h-9"
      rows={deliveries}
      keyOf={({ id }) => id}
      toneOf={({ state }) => (state === "failed" ? "bad" : "")}
      columns={COLUMNS}
    />
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: words.due,
    width: "w-[110px]",
    phone: "1 end quiet",
    cell: ({ due_at: at }) => <When at={at} />,
  },
  {
    title: words.message,
    phone: "1 start",
    isHeader: true,
    className: "font-normal",
    cell: (delivery) => <Message delivery={delivery} />,
  },
  {
    title: words.to,
    width: "w-[18%]",
    phone: "2 whole",
    cell: ({ to, to_kind: kind }) => (
      <>
        <bdi>{to}</bdi>
        <small>{TO_KIND[kind]}</small>
      </>
    ),
  },
  {
    title: words.state,
    width: "w-[30%]",
    phone: "3 whole",
    cell: (delivery) => <State delivery={delivery} />,
  },
];

function Message({ delivery: { company, incident_id: incident, text } }: { delivery: Delivery }) {
  const [first = ""] = text.split("\n");
  return (
    <span title={text}>
      {company === null || incident === null ? (
        <bdi>{first}</bdi>
      ) : (
        <Link href={`/${company}/incidents/${incident}`} dir="auto">
          {first}
        </Link>
      )}
    </span>
  );
}

function State({ delivery: { state, attempts, said, next_at: next } }: { delivery: Delivery }) {
  const label = DELIVERY_STATE[state];
  return (
    <>
      {state === "sent" || state === "queued" ? label : <b>{label}</b>}
      {state === "sent" && attempts <= 1 ? null : (
        <small>
          {said === null ? null : <bdi>{said}</bdi>}{" "}
          {attempts > 0 ? words.attempts(attempts) : null}
          {next === null ? null : (
            <>
              {attempts > 0 ? ", " : null}
              <When at={next} say={words.next} />
            </>
          )}
        </small>
      )}
    </>
  );
}
