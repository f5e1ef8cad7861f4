import type { Incident } from "@/lib/contracts/incidents";
import { initials } from "@/lib/domain/text/initials";

const STYLES = {
  you: "border-ink bg-ink text-ink-inverse",
  other: "border-control bg-surface text-ink-2",
  noOne: "border-dashed border-control",
} as const;

/**
 * A person's initials in a box, empty and dashed for none. The name is beside it, or in `title`.
 */
export function Initials({
  person,
  title,
}: {
  /** Null: no person. */
  person: { name: string; isYou: boolean } | null;
  title?: string;
}) {
  const look = person === null ? "noOne" : person.isYou ? "you" : "other";
  return (
    <span
      aria-hidden="true"
      title={title}
      className={`inline-grid h-4 w-[22px] shrink-0 place-items-center rounded-[2px] border text-[10px] leading-none font-strong ${STYLES[look]}`}
    >
      {person === null ? "" : initials(person.name)}
    </span>
  );
}

type Called = { name: string; isYou: boolean };

/** "You", "Ana": a person's name, as colleagues call them. */
export function calledName(person: Called): string {
  if (person.isYou) return YOU;
  // Some people have their e-mail address as their name.
  const [name = person.name] = person.name.split("@");
  return name;
}
/** "Milo for administrators", "You for Ana". @param owner null: the administrators */
export function standInText(standIn: Called, owner: Called | null): string {
  const whose = owner === null ? "administrators" : owner.isYou ? "you" : owner.name;
  return `${calledName(standIn)} for ${whose}`;
}
const YOU = "You";
export const NO_ONE_YET = "No one yet";

/** Who acknowledged an incident, in the form that the marks take; null: unacknowledged. */
export function whoIsOn(
  acknowledged: Incident["acknowledged"],
): { name: string; isYou: boolean } | null {
  return acknowledged === null ? null : { name: acknowledged.by, isYou: acknowledged.is_you };
}
