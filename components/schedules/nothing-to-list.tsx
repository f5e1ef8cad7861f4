import { UnreadCompany } from "@/components/shell/unread-company";
import type { FileIndex, FileScopes } from "@/lib/contracts/schedule-files";
import { IndexTrouble } from "./index-trouble";
import { noFiles, noScope } from "./words";

/** Whether a company's files can't be read, or there are none. */
export function isNothingToList({ index, scopes }: { index: FileIndex; scopes: FileScopes }) {
  return scopes.read === false || (index.complete && index.known === 0);
}

/** Says which of these it is. @param company its name */
export function NothingToList({
  view: { index, scopes },
  company,
}: {
  view: { index: FileIndex; scopes: FileScopes };
  company: string;
}) {
  const isUnread = scopes.read === false;
  const words = isUnread ? noScope : noFiles;
  return (
    <>
      {isUnread ? null : <IndexTrouble index={index} />}
      <UnreadCompany heading="h1" title={words.title}>
        {words.sentence(company)}
      </UnreadCompany>
    </>
  );
}
