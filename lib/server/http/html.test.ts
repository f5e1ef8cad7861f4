import { expect, test } from "vitest";
import { html } from "./html";

/** An alias that the formatter does not recognise, so that templates here stay unformatted. */
const made = (...given: Parameters<typeof html>) => html(...given).html;

test("escapes interpolated values, except its own output", () => {
  const evil = `<script>"&'</script>`;
  expect(made`<p title="${evil}">${evil}</p>`).toBe(
    `<p title="&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;">&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;</p>`,
  );
  expect(made`<ul>${["a", "<b>"].map((text) => html`<li>${text}</li>`)}</ul>`).toBe(
    "<ul><li>a</li><li>&lt;b&gt;</li></ul>",
  );
  expect(made`${null}${undefined}${false}${0}`).toBe("0");
});

test("drops line breaks of the source, and keeps those of values", () => {
  expect(made`<p>
    ${"a\n  b"}
  </p>`).toBe("<p> a\n  b </p>");
});
