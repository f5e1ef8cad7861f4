import { Key, KeysFooter, ListKeys } from "@/components/list/keys-footer";
import { footWords as words } from "./words";

/** Footer: the number of companies, and the keyboard shortcuts. */
export function CompanyFoot({ said, onHelp }: { said: string; onHelp: () => void }) {
  return (
    <KeysFooter label={words.label} summary={said} all={words.all} onHelp={onHelp}>
      <ListKeys move={words.move} open={words.open} />
      <span>
        <Key>1</Key>–<Key>8</Key> {words.filter}
      </span>
    </KeysFooter>
  );
}
