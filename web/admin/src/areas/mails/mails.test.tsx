import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const keeper = anOperator({ rights: ["system:read", "system:write"] });

function aMail(state: string) {
  return {
    id: "41",
    kind: "mail-code",
    to: "a•••@example.com",
    subject: "Your code",
    state,
    tries: 5,
    notBefore: "2026-11-21T12:00:00Z",
    createdAt: "2026-11-21T11:00:00Z",
    error: "Connection refused",
  };
}

test("dead mails are told first, and tried again", async () => {
  let state = "dead";
  const asked = serve("get", "/api/v1/admin/mails", () => page([aMail(state)]));
  const sent = serve("post", "/api/v1/admin/mails/41/retry", () => {
    state = "waiting";
    return envelope(200, { id: "41", state }, "The mail is tried again.");
  });
  const { user } = openOffice("/mails", keeper);
  serve("get", "/api/v1/admin/today", () =>
    envelope(200, { waiting: { deadMails: 1 }, proposed: 0, ledger: null, backup: null }),
  );

  await user.click(await screen.findByRole("link", { name: "1 email could not be sent" }));
  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get("state")).toBe("dead"));
  await user.click(await screen.findByRole("button", { name: "Retry" }));

  expect(await screen.findByText("The mail is tried again.")).toBeInTheDocument();
  expect(sent).toHaveLength(1);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Retry" })).toBeNull());
});
