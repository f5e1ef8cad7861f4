import { Link } from "@/components/ui/link";
import { FIRST_STEPS, firstSteps } from "./first-steps-words";

/** What an administrator does first, below the demo's data. */
export function FirstSteps() {
  return (
    <section
      aria-label={FIRST_STEPS}
      className="mx-6 mt-7 grid grid-cols-3 border-t border-control max-lg:grid-cols-1 max-sm:mx-3.5"
    >
      {firstSteps.map(({ title, sentence, act, href }) => (
        <div
          key={href}
          className="border-line py-4 max-lg:border-b lg:border-l lg:px-6 lg:first:border-l-0 lg:first:pl-0"
        >
          <h2 className="font-medium">{title}</h2>
          <p className="mt-0.5 max-w-[40ch] text-ink-2">{sentence}</p>
          <p className="mt-2">
            <Link
              href={href}
              className="inline-flex items-center text-xs underline underline-offset-3 hover:text-ink max-sm:min-h-11"
            >
              {act}
            </Link>
          </p>
        </div>
      ))}
    </section>
  );
}
