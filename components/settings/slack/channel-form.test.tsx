import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ChannelForm } from "./channel-form";
import { NEW_SLACK } from "./slack-draft";
import { proofWords } from "./words";

const submitOf = ({ isLoaded }: { isLoaded: boolean }) =>
  /<button[^>]*type="submit"[^>]*>/.exec(
    renderToStaticMarkup(
      <ChannelForm
        draft={NEW_SLACK}
        isNew
        isLoaded={isLoaded}
        result={null}
        onChange={() => {}}
        onSend={async () => null}
        kept={() => ({ kind: "", state: null })}
      />,
    ),
  )?.[0];

test("waits until it is known whether the channel exists, so that it isn’t added twice", () => {
  expect(submitOf({ isLoaded: false })).toContain('aria-disabled="true"');
  expect(submitOf({ isLoaded: true })).not.toContain("aria-disabled=");
});

test("doesn’t deny a channel that is saved when it asks for a recent sign-in", () => {
  expect(proofWords(true).untouched).toBe("Nothing has been saved yet.");
  expect(proofWords(false).untouched).toBe("No new test has been sent yet.");
});
