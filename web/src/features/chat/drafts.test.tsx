import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { serveTheZone } from "@/test/battle";
import { aMessage, type ChatServer, chatting, receive, serveTheChat } from "@/test/chat";
import { aSession } from "@/test/factories";
import type { FakeSocket } from "@/test/fake-socket";
import { envelope, serve } from "@/test/server";

let chat: ChatServer;

beforeEach(() => {
  chat = serveTheChat();
  chat.stored["Enyimba"] = [aMessage(1)];
  serve("get", "/api/v1/chat-people/:club", () =>
    envelope(200, [{ id: "m4", firstName: "Ada", lastName: "Obi", avatar: null }]),
  );
});

const field = () => screen.getByPlaceholderText("Type a message...");
const composing = () => field().closest("form") as HTMLElement;
const room = (name: RegExp) => screen.getByRole("tab", { name });

/** A reply with a mention, begun in the club's room. */
async function beginReply() {
  const app = await chatting();
  await app.user.click(screen.getByRole("button", { name: /^Options for .*'s message/ }));
  await app.user.click(screen.getByRole("button", { name: "Reply" }));
  await app.user.type(app.field, "Well said @Obi");
  await screen.findByRole("listbox", { name: "Members" });
  await app.user.keyboard("{Enter}");
  return app;
}

/** The whole draft is restored, and is sent. */
async function expectSentWhole(
  user: Awaited<ReturnType<typeof beginReply>>["user"],
  line: FakeSocket,
) {
  expect(field()).toHaveValue("Well said @Obi Ada ");
  expect(composing()).toHaveTextContent("Answer to Musa BelloMessage 1");
  await user.type(field(), "{Enter}");
  expect(line.of("message")[0]?.content).toMatchObject({
    chat_message: "Well said @Obi Ada",
    reply_to: "Enyimba-1",
    mentions: ["m4"],
  });
  expect(field()).toHaveValue("");
  expect(within(composing()).queryByText("Message 1")).toBeNull();
}

test("a look at the other room leaves a draft whole, and the keyboard on the tabs", async () => {
  const { user, socket } = await beginReply();
  await user.click(room(/Public/));
  expect(field()).toHaveValue("");
  expect(composing()).not.toHaveTextContent("Answer to");

  await user.click(room(/Enyimba/));

  expect(room(/Enyimba/)).toHaveFocus();
  await expectSentWhole(user, socket);
});

test("another screen and back leaves a draft whole", async () => {
  serveTheZone();
  const { user, socket } = await beginReply();
  await user.click(screen.getAllByRole("link", { name: "Battle Zone" })[0] as HTMLElement);
  await waitFor(() => expect(socket.closed).toBe(true));
  await user.click(screen.getAllByRole("link", { name: /^Chats/ })[0] as HTMLElement);
  await screen.findByPlaceholderText("Type a message...");

  expect(field()).toHaveValue("Well said @Obi Ada ");
  expect(composing()).toHaveTextContent("Answer to Musa BelloMessage 1");
});

test("a reload leaves a draft whole", async () => {
  const { unmount } = await beginReply();
  unmount();

  const { user, socket } = await chatting();

  await expectSentWhole(user, socket);
});

test("what is answered stays deleted, also when the member comes back to the draft", async () => {
  const { socket, unmount } = await beginReply();
  await receive(socket, "message_hidden", { id: "Enyimba-1", club: "Enyimba" });
  unmount();
  chat.stored["Enyimba"] = [];

  await chatting();

  expect(composing()).toHaveTextContent("Message deleted");
  expect(composing()).not.toHaveTextContent("Message 1");
});

test("a draft of an older version of the app, which was its text, is read", async () => {
  const kept = { club: "for the club", public: "for all" };
  sessionStorage.setItem("chat-drafts", JSON.stringify({ userId: "member-1", kept }));

  const { user, socket } = await chatting();

  expect(field()).toHaveValue("for the club");
  await user.type(field(), "{Enter}");
  expect(socket.of("message")[0]?.content["chat_message"]).toBe("for the club");
  await user.click(room(/Public/));
  expect(field()).toHaveValue("for all");
});

test("a draft that is damaged in the browser's storage is none", async () => {
  const kept = {
    club: { text: "half", replyTo: { id: 7 }, mentions: [{ id: "m4" }, 1] },
    public: 3,
  };
  sessionStorage.setItem("chat-drafts", JSON.stringify({ userId: "member-1", kept }));

  await chatting();

  expect(field()).toHaveValue("");
});

test("what was begun for one club goes to no other, and what was begun for all stays", async () => {
  const { user, unmount } = await beginReply();
  await user.click(room(/Public/));
  await user.type(field(), "for all");
  unmount();

  const moved = await chatting(aSession({ club: "club-2", clubName: "Kano Pillars" }));

  expect(moved.field).toHaveValue("");
  expect(composing()).not.toHaveTextContent("Answer to");
  await moved.user.click(room(/Public/));
  expect(field()).toHaveValue("for all");
});

test("signing out forgets a draft, with what it answers", async () => {
  serve("post", "/api/v1/sign-out", () => envelope(200, null));
  const { user, unmount } = await beginReply();
  await user.click(await screen.findByRole("button", { name: "Logout" }));
  await waitFor(() => expect(screen.queryByPlaceholderText("Type a message...")).toBeNull());
  expect(sessionStorage.getItem("chat-drafts")).toBeNull();
  unmount();

  await chatting();

  expect(field()).toHaveValue("");
  expect(composing()).not.toHaveTextContent("Answer to");
});
