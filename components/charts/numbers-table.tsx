import { ScrollRegion } from "@/components/ui/scroll-region";

const CELL =
  "border-b border-line py-[3px] text-right font-normal whitespace-nowrap first:text-left";

/** The numbers of a chart, newest first, for screen readers and copying. */
export function NumbersTable({
  caption,
  head,
  rows,
}: {
  caption: string;
  head: readonly string[];
  /** The first cell of a row is unique. */
  rows: readonly (readonly string[])[];
}) {
  return (
    <ScrollRegion label={caption} className="max-h-[320px] overflow-y-auto">
      <table className="w-full border-collapse text-xs text-ink-2">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className={CELL}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others]) => (
            <tr key={first}>
              <th scope="row" className={CELL}>
                {first}
              </th>
              {others.map((cell, at) => (
                <td key={head[at + 1]} className={CELL}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
