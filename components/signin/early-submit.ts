import { callEarlyScript } from "@/components/ui/early/call-early-script";

const TAKE = "takeEarlySubmit";

/**
 * Holds a form that is submitted before hydration. Sent as source text: refers to nothing outside
 * its body.
 */
function holdEarlySubmit(take: string): void {
  let way: string | null = null;
  function hold(event: SubmitEvent): void {
    event.preventDefault();
    way = (event.target as Element).getAttribute("data-way");
  }
  document.addEventListener("submit", hold, true);
  Reflect.set(window, take, () => {
    document.removeEventListener("submit", hold, true);
    return way;
  });
}

/** The source of the script that holds an early submit. */
export const EARLY_SUBMIT_SCRIPT = `(${holdEarlySubmit.toString()})(${JSON.stringify(TAKE)})`;

/** Takes over form submission. @returns the `data-way` of an earlier submission, or null */
export function takeEarlySubmit(): string | null {
  const way = callEarlyScript(TAKE);
  return typeof way === "string" ? way : null;
}
