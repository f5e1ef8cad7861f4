"use client";

import { useQuery } from "@tanstack/react-query";
import { DataTable, type Column } from "@/components/resource/data-table";
import { alarmLoadQuery } from "@/lib/client/queries/rules";
import type { AlarmLoadView } from "@/lib/contracts/alarm-load/alarm-load";
import { count } from "@/lib/domain/words/format";
import { loadListWords as words } from "./load-words";
import { daysOf } from "./words";

type Row = AlarmLoadView["data"][number];

/** Who got how many messages, and about which endpoints. Default export for `lazyPart`. @param nameOf of a company */
export default function LoadList({ nameOf }: { nameOf: (company: string) => string }) {
  const { data, isError } = useQuery(alarmLoadQuery);
  if (data === undefined)
    return isError ? <p className="mt-6 text-xs text-ink-2">{words.failed}</p> : null;
  return (
    <section className="mt-8">
      <h2 className="text-md font-strong">{words.title}</h2>
      <p className="mb-2 text-xs text-ink-2">
        {data.data.length === 0 ? words.none : words.note(daysOf(data))}
      </p>
      {data.data.length === 0 ? null : (
        <DataTable
          label={words.title}
          rows={data.data}
          keyOf={({ to, to_kind: kind }) => `${kind} ${to}`}
          columns={columnsOf(nameOf)}
        />
      )}
    </section>
  );
}

function columnsOf(nameOf: (company: string) => string): readonly Column<Row>[] {
  return [
    {
      title: words.to,
      width: "w-[22%]",
      phone: "1 start",
      isHeader: true,
      cell: ({ to, to_kind: kind }) => (
        <>
          <bdi>{to}</bdi> <small>{words.kind[kind]}</small>
        </>
      ),
    },
    {
      title: words.rate,
      width: "w-[90px]",
      phone: "1 end",
      isNumeric: true,
      cell: ({ per_day: perDay }) => (perDay === 0 ? words.rarely : perDay),
    },
    {
      title: words.messages,
      width: "w-[110px]",
      phone: "2 end quiet",
      isNumeric: true,
      isLabelled: true,
      cell: ({ messages }) => count(messages),
    },
    {
      title: words.noisiest,
      phone: "3 whole",
      cell: ({ noisiest }) =>
        noisiest.map((one) => (
          <small key={`${one.company} ${one.endpoint_id}`}>
            <bdi>{nameOf(one.company)}</bdi>, <bdi>{one.partner_name}</bdi> / {words.endpoint(one)}
          </small>
        )),
    },
  ];
}
