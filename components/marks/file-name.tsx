import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import { showsNothing } from "./typed-name";

/**
 * A file's name as it was given, kept to itself whatever its script; one that shows nothing is said so.
 * @param isExact with every blank that it has, where somebody has to know or type it
 */
export function FileName({ name, isExact = false }: { name: string; isExact?: boolean }) {
  if (showsNothing(name)) return <span className="text-ink-3">No name</span>;
  return <bdi className={isExact ? "whitespace-pre-wrap" : ""}>{inOwnOrder(name)}</bdi>;
}
