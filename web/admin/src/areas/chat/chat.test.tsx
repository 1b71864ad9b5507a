import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const MODERATOR = anOperator({ rights: ["chat:write", "members:read"] });

const aMessage = (number: number, words: string) => ({
  id: `0199f2a4-0000-7000-8000-00000000000${number}`,
  seq: number,
  client_id: "c",
  user_id: "0199f2a4-0000-7000-8000-0000000000d1",
  club: "Public",
  chat_message: words,
  firstname: "Bello",
  lastname: "Musa",
  avatar: null,
  time: Date.parse("2026-11-23T12:00:00Z"),
});

const REPORTED = {
  message: aMessage(2, "<img src=x onerror=alert(1)> go home"),
  hidden: false,
  reports: 3,
  reasons: ["abuse", "spam"],
  firstReportedAt: "2026-11-23T12:01:00Z",
};

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
  serve("get", "/api/v1/admin/chat/reports", () => page([REPORTED]));
});

test("what a member wrote is shown as text, with why it was reported and by how many", async () => {
  openOffice("/chat", MODERATOR);

  const found = (await screen.findByText("Abuse, Spam")).closest("tr") as HTMLElement;
  const row = within(found);
  expect(found).toHaveTextContent(REPORTED.message.chat_message);
  expect(row.getByText("3")).toBeInTheDocument();
  expect(row.getByRole("link", { name: "Bello Musa" })).toBeInTheDocument();
  expect(document.querySelector("td img")).toBeNull();
});

test.each([
  ["Hide", "hide"],
  ["Dismiss", "dismiss"],
])("%s is done at once", async (button, deed) => {
  const done = serve("post", "/api/v1/admin/chat/messages/:id/:deed", () => envelope(200, null));
  const { user } = openOffice("/chat", MODERATOR);

  await user.click(await screen.findByRole("button", { name: button }));

  await waitFor(() => expect(done).toHaveLength(1));
  expect(done[0]?.url.pathname).toMatch(new RegExp(`${REPORTED.message.id}/${deed}$`));
  expect(done[0]?.headers.get("Idempotency-Key")).not.toBeNull();
});

test("the evidence shows what stood around, what is hidden, and which it is about", async () => {
  serve("get", "/api/v1/admin/chat/messages/:id/evidence", () =>
    envelope(200, {
      messageId: REPORTED.message.id,
      messages: [
        { message: aMessage(1, "before it"), hidden: true },
        { message: REPORTED.message, hidden: false },
        { message: aMessage(3, "after it"), hidden: false },
      ],
    }),
  );
  const { user } = openOffice("/chat", MODERATOR);

  await user.click(await screen.findByRole("button", { name: "Evidence" }));

  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText("before it")).toBeInTheDocument();
  expect(dialog.getByText("Hidden")).toBeInTheDocument();
  const about = dialog.getAllByRole("listitem").filter((item) => item.ariaCurrent === "true");
  expect(about).toHaveLength(1);
  expect(about[0]).toHaveTextContent("go home");
});

test("a ban goes out for whoever wrote it, without an end where none is given", async () => {
  const bans = serve("post", "/api/v1/admin/chat/bans", () => envelope(200, null));
  const { user } = openOffice("/chat", MODERATOR);

  await user.click(await screen.findByRole("button", { name: "Ban" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Ban Bello Musa" }));
  await user.type(dialog.getByLabelText(/Reason/), "Insults");
  await user.click(dialog.getByRole("button", { name: "Ban" }));

  await waitFor(() => expect(bans).toHaveLength(1));
  expect(bans[0]?.body).toEqual({ userId: REPORTED.message.user_id, reason: "Insults" });
});

test("bans that stand are listed with their ends, and lifted", async () => {
  const member = { id: REPORTED.message.user_id, firstName: "Bello", lastName: "Musa" };
  const row = { id: "b", member, until: null, reason: "Insults", bannedAt: "2026-11-23T12:00:00Z" };
  serve("get", "/api/v1/admin/chat/bans", () => page([row]));
  const lifted = serve("delete", "/api/v1/admin/chat/bans/:id", () => envelope(200, null));
  const { user } = openOffice("/chat/bans", MODERATOR);
  expect(await screen.findByText("lifted")).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Lift ban" }));

  await waitFor(() => expect(lifted).toHaveLength(1));
});
