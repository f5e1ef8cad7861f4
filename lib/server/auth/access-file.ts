import { z } from "zod";
import type { AccessRule } from "@/lib/domain/access-rules";
import { ROLES } from "@/lib/domain/rights";
import type { Judged } from "@/lib/server/configuration-file";

const MAX_RULES = 500;

const value = z
  .union([z.string().min(1).max(1_000), z.number(), z.boolean()])
  .transform((given) => String(given));

const RuleEntry = z
  .strictObject({
    claim: z.string().min(1).max(300),
    equals: value.optional(),
    matches: z.string().min(1).max(300).optional(),
    role: z.enum(ROLES),
    companies: z.union([
      z.literal("all"),
      z
        .array(z.string().regex(/^[a-z0-9-]{1,40}$/))
        .min(1)
        .max(1_000),
    ]),
  })
  .refine(({ equals, matches }) => (equals === undefined) !== (matches === undefined), {
    path: ["equals"],
  })
  .refine(({ role, companies }) => role !== "administrator" || companies === "all", {
    path: ["role"],
  });

const SAYS: Readonly<Record<string, string>> = {
  claim: "must be the name of a claim",
  equals: "give either equals or matches, with a value",
  matches: "must be a text of at most 300 characters; * stands for any",
  role: `must be one of ${ROLES.join(", ")}; administrators are so for all companies`,
  companies: 'must be "all" or a list of slugs',
};

/**
 * Parses an `ACCESS_FILE`: its rules, or every problem found. Companies that aren't connected are allowed, because they
 * may be connected later. Never throws.
 */
export function judgeAccessFile(content: string): Judged<readonly AccessRule[]> {
  let given: unknown;
  try {
    given = JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch {
    return { problems: ["ACCESS_FILE: must be JSON"] };
  }
  const file = z.strictObject({ rules: z.array(z.unknown()).max(MAX_RULES) }).safeParse(given);
  if (!file.success) {
    return {
      problems: [`ACCESS_FILE: must be {"rules": [...]} with at most ${MAX_RULES} rules`],
    };
  }
  const problems: string[] = [];
  const rules = file.data.rules.flatMap((entry, index): AccessRule[] => {
    const parsed = RuleEntry.safeParse(entry);
    if (parsed.success) {
      const { claim, equals, matches, role, companies } = parsed.data;
      const isGlob = matches !== undefined;
      return [
        {
          claim,
          value: matches ?? equals ?? "",
          isGlob,
          role,
          companies: companies === "all" ? null : companies,
        },
      ];
    }
    for (const issue of parsed.error.issues) {
      const member = String(issue.path[0] ?? "");
      const where = `ACCESS_FILE: rule ${index + 1}${member === "" ? "" : `, ${member}`}`;
      const says =
        issue.code === "unrecognized_keys"
          ? `unknown members: ${issue.keys.join(", ")}`
          : (SAYS[member] ?? "must be an object");
      problems.push(`${where}: ${says}`);
    }
    return [];
  });
  return problems.length > 0 ? { problems: [...new Set(problems)] } : { value: rules };
}
