import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { myAlertsQuery } from "@/lib/client/queries/rules";
import { NoMail } from "./channel-dialog";

function drawn(canMail: boolean) {
  const client = new QueryClient();
  client.setQueryData(myAlertsQuery.queryKey, { data: null, can_mail: canMail });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <NoMail />
    </QueryClientProvider>,
  );
}

test("an email channel is said to send nothing while mail isn’t set up", () => {
  expect(drawn(false)).toContain("Email isn’t set up in Plumbline");
  expect(drawn(true)).toBe("");
});
