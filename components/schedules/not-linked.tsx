import { integrationText, NOT_LINKED_SENTENCE } from "@/lib/domain/words/file-words";

const ID = "not-linked";

/** "Not linked", which explains itself when pressed; the page has one `NotLinkedNote`. */
export function NotLinked() {
  return (
    <button
      type="button"
      popoverTarget={ID}
      tabIndex={-1}
      data-cell="linked"
      className="not-linked"
      title={NOT_LINKED_SENTENCE}
    >
      {integrationText(null, null)}
    </button>
  );
}

/** The explanation, beside the button that opened it. */
export function NotLinkedNote() {
  return (
    <div id={ID} popover="auto" className="not-linked-note">
      {NOT_LINKED_SENTENCE}
    </div>
  );
}
