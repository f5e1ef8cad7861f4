import { Key, KeysFoot } from "@/components/list/keys-foot";
import { footWords as words } from "./words";

/** Footer: the number of companies, and the keyboard shortcuts. */
export function CompanyFoot({ said, onHelp }: { said: string; onHelp: () => void }) {
  return (
    <KeysFoot label={words.label} said={said} all={words.all} onHelp={onHelp}>
      <span>
        <Key>J</Key>
        <Key>K</Key> {words.move}
      </span>
      <span>
        <Key>↵</Key> {words.open}
      </span>
      <span>
        <Key>1</Key>–<Key>8</Key> {words.filter}
      </span>
    </KeysFoot>
  );
}
