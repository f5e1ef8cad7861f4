import type { Steps } from "@/lib/domain/steps";

/** Labels as they are written, and the value; null: none. */
export type Sample = readonly [labels: string, value: number | null];

/**
 * A gauge in Prometheus' text format. prom-client has no pause between its series, and looks each of them up by its labels
 * first, so gauges with a series for each company or endpoint are written here.
 * @param samples of this gauge; those without a value are left out
 */
export function* gaugeText(name: string, help: string, samples: Iterable<Sample>): Steps<string> {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`];
  for (const [labels, value] of samples) {
    if (value !== null) lines.push(`${name}{${labels}} ${value}`);
    yield;
  }
  return `${lines.join("\n")}\n`;
}

const SPECIAL = /[\\"\p{Cc}\p{Surrogate}]/u;

/** As a value of a label, where only these may be escaped; other control characters are replaced. */
export function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`)
    .replaceAll(/\p{Cc}|\p{Surrogate}/gu, "\uFFFD");
}
