import { Link } from "@/components/ui/link";
import { count } from "@/lib/domain/words/format";

/** A part of a sentence; `does` is what pressing it filters or sorts by, null for plain text. */
export type LeadPart<Does extends string> = { text: string; does: Does | null };

/** What a part does: it switches a filter or an order, or it is a link. */
export type LeadAction = { isPressed: boolean; run: () => void } | { href: string };

/** The sentence of a list, whose parts filter or sort it. */
export function LeadSentence<Does extends string>({
  parts,
  does,
}: {
  parts: readonly LeadPart<Does>[];
  does: Readonly<Record<Does, LeadAction>>;
}) {
  return parts.map(({ text, does: what }, at) => {
    const isAfterPressable = (parts[at - 1]?.does ?? null) !== null;
    if (what === null)
      return <span key={text}>{isAfterPressable ? text.replace(/^;/, "") : text}</span>;
    const pressable = <Pressable key={text} text={text} action={does[what]} />;
    // No line begins with a semicolon.
    return parts[at + 1]?.text.startsWith(";") ? (
      <span key={text} className="whitespace-nowrap">
        {pressable};
      </span>
    ) : (
      pressable
    );
  });
}

function Pressable({ text, action }: { text: string; action: LeadAction }) {
  return "href" in action ? (
    <Link href={action.href} className={LOOK}>
      {text}
    </Link>
  ) : (
    <button type="button" aria-pressed={action.isPressed} className={LOOK} onClick={action.run}>
      {text}
    </button>
  );
}

const LOOK =
  "text-left underline decoration-control decoration-1 underline-offset-5 hover:decoration-ink aria-pressed:decoration-ink aria-pressed:decoration-3";

/**
 * The end of a sentence that says how many are behind.
 * @param behind number of feeds that are behind
 * @param unattended number of those that no one is on
 * @param next "14:26", the next attempt; null: none is scheduled
 */
export function leadEnd(
  behind: number,
  unattended: number,
  next: string | null,
): LeadPart<"unattended" | "next">[] {
  return [
    ...(unattended === 0
      ? []
      : [
          { text: "; ", does: null },
          {
            text: `no one is on ${behind === 1 ? "it" : count(unattended)}`,
            does: "unattended" as const,
          },
        ]),
    ...(next === null
      ? []
      : [
          { text: "; the next attempt is ", does: null },
          { text: `at ${next}`, does: "next" as const },
        ]),
  ];
}
