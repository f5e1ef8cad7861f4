import { expect, test } from "vitest";
import { html } from "./html";

/** By another name, so that what is written here stays as it is. */
const made = (...given: Parameters<typeof html>) => html(...given).html;

test("whatever stands in it is escaped, unless it was made by it", () => {
  const evil = `<script>"&'</script>`;
  expect(made`<p title="${evil}">${evil}</p>`).toBe(
    `<p title="&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;">&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;</p>`,
  );
  expect(made`<ul>${["a", "<b>"].map((text) => html`<li>${text}</li>`)}</ul>`).toBe(
    "<ul><li>a</li><li>&lt;b&gt;</li></ul>",
  );
  expect(made`${null}${undefined}${false}${0}`).toBe("0");
});

test("lines of the source are none of the page, lines of what stands in it are", () => {
  expect(made`<p>
    ${"a\n  b"}
  </p>`).toBe("<p> a\n  b </p>");
});
