"use client";

import { useEffect, useState } from "react";

type PlainRow = Record<string, unknown> & { id: string };

/** All prepared rows as a plain table, fetched by the browser. */
export function PlainRows() {
  const [rows, setRows] = useState<readonly PlainRow[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    void fetch("/api/ready/company", { signal: leaving.signal })
      .then((response) => response.json())
      .then((body: { rows: readonly PlainRow[] }) => setRows(body.rows))
      .catch(() => {});
    return () => leaving.abort();
  }, []);
  if (rows.length === 0) return <p>Loading</p>;
  return (
    <table>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {Object.entries(row)
              .filter(([, value]) => typeof value !== "object" || value === null)
              .map(([name, value]) => (
                <td key={name}>{String(value)}</td>
              ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
