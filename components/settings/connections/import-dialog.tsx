"use client";

import { useState } from "react";
import { DataTable } from "@/components/resource/data-table";
import { Proof } from "@/components/session/proof";
import { problemIn, type Refused } from "@/components/session/refused";
import { Button } from "@/components/ui/button";
import Dialog from "@/components/ui/dialog";
import { FileField } from "@/components/ui/form/file-field";
import type { Imported } from "@/lib/contracts/connections";
import { keptChange } from "./change-draft";
import { readImport } from "./import-file";
import { importDialog as words, proofWords, resultWords } from "./change-words";

type Lines = Imported["data"];
type Rows = { rows: readonly unknown[]; lines?: readonly number[] };
type Request = Rows & { dry_run: boolean };

/**
 * Imports connections from a file: a dry run first, then for real. Default export for `lazyPart`.
 * @param onImport resolves to the lines, or to why it was refused
 */
export default function ImportDialog({
  onImport,
  onClose,
}: {
  onImport: (request: Request) => Promise<{ lines: Lines } | { refused: Refused }>;
  onClose: () => void;
}) {
  const [rows, setRows] = useState<Rows>({ rows: [] });
  const [lines, setLines] = useState<Lines | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const [refused, setRefused] = useState<{ request: Request; why: Refused } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const send = async (request: Request) => {
    setRefused(null);
    setIsBusy(true);
    const answer = await onImport(request);
    setIsBusy(false);
    if ("refused" in answer) {
      setRefused({ request, why: answer.refused });
      return;
    }
    setLines(answer.lines);
    setIsDone(!request.dry_run);
  };
  const choose = async (file: File | undefined) => {
    setLines(null);
    setProblem(null);
    setRefused(null);
    if (file === undefined) return;
    const read = readImport(await file.text());
    if ("problem" in read) {
      setProblem(read.problem);
      return;
    }
    setRows(read);
    await send({ dry_run: true, ...read });
  };
  const good = (lines ?? []).filter(({ result }) => result === "ok").length;
  return (
    <Dialog
      title={words.title}
      closeLabel={isDone ? words.close : words.cancel}
      onClose={onClose}
      className="w-[720px]"
      actions={
        lines === null || isDone || good === 0 ? undefined : (
          <Button
            look="primary"
            isBusy={isBusy}
            onClick={() => void send({ dry_run: false, ...rows })}
          >
            {isBusy ? words.saving : words.save(good)}
          </Button>
        )
      }
    >
      {isDone ? null : (
        <>
          <p>{words.about}</p>
          <FileField
            label={words.file}
            accept=".json,.csv,application/json,text/csv"
            isDisabled={isBusy}
            onChoose={(file) => void choose(file)}
          />
        </>
      )}
      <p role="alert" className="mt-2 text-xs text-failing-text empty:hidden">
        {problem ?? problemIn(refused?.why ?? null)}
      </p>
      <p role="status" className="mt-3 text-ink empty:hidden">
        {lines === null
          ? isBusy
            ? words.reading
            : null
          : isDone
            ? words.done(good)
            : words.dry(good, lines.length)}
      </p>
      {lines === null ? null : (
        <div className="mt-2 max-h-[320px] overflow-auto text-ink">
          <DataTable
            label={words.table}
            rows={lines}
            rowHeight="one-line"
            keyOf={({ line }) => line}
            columns={[
              {
                title: words.line,
                width: "w-[60px]",
                phone: "1 end",
                isNumeric: true,
                cell: ({ line }) => line,
              },
              {
                title: words.slug,
                width: "w-[180px]",
                phone: "1 start",
                isHeader: true,
                className: "font-mono text-xs",
                cell: ({ slug }) => <bdi>{slug === "" ? "–" : `/${slug}`}</bdi>,
              },
              {
                title: words.result,
                phone: "2 whole",
                cell: ({ result, text }) => (
                  <>
                    <b className="font-strong">{resultWords[result]}</b> {text}
                  </>
                ),
              },
            ]}
          />
        </div>
      )}
      <Proof
        isWanted={refused?.why === "needs-reauthentication"}
        words={proofWords.import}
        kept={() => keptChange({ dialog: "import" })}
        onProven={() => {
          if (refused !== null) void send(refused.request);
        }}
        onBack={() => setRefused(null)}
      />
    </Dialog>
  );
}
