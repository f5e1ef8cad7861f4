import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import { showsNothing } from "./typed-name";

/**
 * A file's name, isolated from the text direction around it; a name without visible characters says
 * so.
 * @param isExact preserves every space, where a person has to recognise or type it
 */
export function FileName({ name, isExact = false }: { name: string; isExact?: boolean }) {
  if (showsNothing(name)) return <span className="text-ink-3">No name</span>;
  return <bdi className={isExact ? "whitespace-pre-wrap" : ""}>{inOwnOrder(name)}</bdi>;
}
