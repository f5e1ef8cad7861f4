"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { DataTable } from "@/components/resource/data-table";
import { useLiveCompany } from "@/components/shell/live-company";
import { Button } from "@/components/ui/button";
import Dialog from "@/components/ui/dialog";
import { FileField } from "@/components/ui/form/file-field";
import { ApiError, statusOf } from "@/lib/client/api";
import { importPromises } from "@/lib/client/queries/promises";
import type { PromiseImported } from "@/lib/contracts/promises";
import { importRefusal, importWords as words, importedText } from "./words";

/** Imports promises from a file or pasted text: a dry run first, then for real. Default export for `lazyPart`. */
export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const { slug } = useLiveCompany();
  const client = useQueryClient();
  const [csv, setCsv] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<PromiseImported | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const send = async (dry_run: boolean, text = csv) => {
    setProblem(null);
    setIsBusy(true);
    try {
      setResult(await importPromises(client, slug, { csv: text, dry_run }));
    } catch (error) {
      setResult(null);
      const said = error instanceof ApiError ? error.description : null;
      setProblem(importRefusal(statusOf(error), said, dry_run));
    }
    setIsBusy(false);
  };
  const change = (text: string) => {
    setCsv(text);
    setResult(null);
    setProblem(null);
  };
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const text = await file.text();
    change(text);
    await send(true, text);
  };
  const isChecked = result !== null && result.errors.length === 0;
  const isDone = isChecked && !result.dry_run;
  const hasChanges = isChecked && result.added + result.changed > 0;
  return (
    <Dialog
      title={words.title}
      closeLabel={isDone ? words.close : words.cancel}
      onClose={onClose}
      className="w-[720px]"
      actions={
        isDone ? undefined : (
          <Button
            look="primary"
            isBusy={isBusy}
            disabled={csv.trim() === "" || (isChecked && !hasChanges)}
            onClick={() => void send(!isChecked)}
          >
            {isChecked
              ? isBusy
                ? words.saving
                : words.save
              : isBusy
                ? words.checking
                : words.check}
          </Button>
        )
      }
    >
      {isDone ? null : (
        <>
          <p>
            {words.about} {words.format}
          </p>
          <FileField
            label={words.file}
            accept=".csv,text/csv"
            isDisabled={isBusy}
            onChoose={(file) => void choose(file)}
          />
          <label htmlFor={id} className="mt-3 block text-xs font-medium text-ink">
            {words.text}
          </label>
          <textarea
            id={id}
            rows={6}
            spellCheck={false}
            disabled={isBusy}
            className="mt-[5px] block w-full rounded border border-control bg-surface px-2.5 py-1.5 font-mono text-xs text-ink"
            value={csv}
            onChange={({ target }) => change(target.value)}
          />
        </>
      )}
      <p role="alert" className="mt-2 text-xs text-failing-text empty:hidden">
        {problem ?? (result !== null && !isChecked ? words.bad(result.errors.length) : null)}
      </p>
      <p role="status" className="mt-3 text-ink empty:hidden">
        {isChecked
          ? hasChanges || isDone
            ? importedText(result)
            : words.nothing(result.unchanged)
          : null}
      </p>
      {result === null || isChecked ? null : (
        <div className="mt-2 max-h-[260px] overflow-auto text-ink">
          <DataTable
            label={words.errors}
            rows={result.errors}
            rowHeight="one-line"
            keyOf={({ line, message }) => `${line} ${message}`}
            columns={[
              {
                title: words.line,
                width: "w-[60px]",
                phone: "1 start",
                isHeader: true,
                cell: ({ line }) => line,
              },
              { title: words.problem, phone: "2 whole", cell: ({ message }) => message },
            ]}
          />
        </div>
      )}
    </Dialog>
  );
}
