import { z } from "zod";

/**
 * A list whose elements are checked in order up to the first invalid one: reporting a million invalid elements would
 * cost seconds and gigabytes, and one is enough to reject the list.
 * @param bounds number of elements; the elements of a list outside them aren't checked
 */
export function checkedList<T extends z.ZodType>(
  element: T,
  { min = 0, max }: { min?: number; max: number },
) {
  return z
    .custom<readonly unknown[]>(
      (given) => Array.isArray(given) && given.length >= min && given.length <= max,
      { error: `Invalid input: expected a list of ${min} to ${max}` },
    )
    .transform((given, context) => {
      const checked: z.output<T>[] = [];
      for (const [index, one] of given.entries()) {
        const parsed = element.safeParse(one);
        if (parsed.success) checked.push(parsed.data);
        else {
          const [issue] = parsed.error.issues;
          context.addIssue({
            code: "custom",
            path: [index, ...(issue?.path ?? [])],
            message: issue?.message ?? "Invalid input",
          });
          return z.NEVER;
        }
      }
      return checked;
    });
}
