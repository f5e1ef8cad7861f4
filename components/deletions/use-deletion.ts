import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { isTypedInto } from "@/components/list/is-handled-elsewhere";
import { statusOf } from "@/lib/client/api";
import { deletionQuery, endDeletion } from "@/lib/client/queries/deletion";
import { scheduleFilesKey } from "@/lib/client/queries/schedule-files";
import { useServerClock } from "@/lib/client/use-now";
import { endProblem } from "./words";

/** A running deletion; the file list is updated with each outcome. */
export function useDeletion(id: string) {
  const { slug } = useLiveCompany();
  const client = useQueryClient();
  const clock = useServerClock();
  const query = useQuery(deletionQuery(slug, id, { clock, isWatched: true }));
  const settled =
    query.data?.view.items.filter(({ outcome }) => outcome !== null && outcome !== "unknown")
      .length ?? 0;
  const last = useRef(settled);
  useEffect(() => {
    if (last.current === settled) return;
    last.current = settled;
    void client.invalidateQueries({ queryKey: scheduleFilesKey(slug) });
  }, [client, slug, settled]);
  return query;
}

/** Undoes or stops a deletion. `problem`: why that failed; null without an error. */
export function useEndDeletion(id: string) {
  const { slug: company } = useLiveCompany();
  const client = useQueryClient();
  const clock = useServerClock();
  const [isEnding, setIsEnding] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const end = async (how: "undo" | "stop") => {
    setIsEnding(true);
    setProblem(null);
    try {
      await endDeletion({ client, company, clock }, id, how);
    } catch (error) {
      setProblem(endProblem(how, statusOf(error) === 409));
    } finally {
      setIsEnding(false);
    }
  };
  return { end, isEnding, problem };
}

/** Z undoes, except in text fields. */
export function useUndoKey(isOn: boolean, undo: () => void) {
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "z" && event.key !== "Z") return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (isTypedInto(event.target)) return;
      event.preventDefault();
      undo();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn, undo]);
}
