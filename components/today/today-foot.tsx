import { ActKeys, KeysFooter, ListKeys } from "@/components/list/keys-footer";
import { foot as words } from "./words";

/** Footer: how many lines there are, and the keyboard shortcuts, without those in `without`. */
export function TodayFoot({
  said,
  without,
  onHelp,
}: {
  said: string;
  without: readonly string[];
  onHelp: () => void;
}) {
  return (
    <KeysFooter label={words.keys} summary={said} all={words.all} onHelp={onHelp}>
      <ListKeys move={words.move} open={words.open} />
      <ActKeys take={words.take} tell={words.tell} without={without} />
    </KeysFooter>
  );
}
