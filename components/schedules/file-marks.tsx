import type { FileMarks as Marks } from "@/lib/contracts/schedule-files";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import { markWords } from "./words";

/** What distinguishes a file from others with the same or a similar name, and its later version; empty if nothing. */
export function FileMarks({ name, marks }: { name: string; marks: Marks | undefined }) {
  if (marks === undefined) return null;
  const { same_name: same, looks_like: alike, superseded_by: later } = marks;
  return (
    <>
      {same > 0 ? <Mark text={markWords.same} note={markWords.sameNote(same)} /> : null}
      {alike === null ? null : (
        <Mark text={markWords.alike} note={markWords.alikeNote(inOwnOrder(alike.name), alike.id)} />
      )}
      {later === null ? null : (
        <span className="file-superseded" title={markWords.superseded(inOwnOrder(later.name))}>
          {markWords.superseded("")}
          <bdi>{distinctPart(inOwnOrder(later.name), inOwnOrder(name))}</bdi>
        </span>
      )}
    </>
  );
}

/** A name from where it begins to differ from another one, in whole parts: "rev 12.xer". */
function distinctPart(name: string, other: string): string {
  let same = 0;
  while (same < name.length && name[same] === other[same]) same += 1;
  const start = name.slice(0, same);
  return name.slice(Math.max(start.lastIndexOf(", ") + 1, 0)).trim();
}

function Mark({ text, note }: { text: string; note: string }) {
  return (
    <span className="file-mark" title={note}>
      {text}
      <span className="sr-only">: {note}</span>
    </span>
  );
}
