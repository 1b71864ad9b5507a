import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aMessage, type ChatServer, chatting, messages, receive, serveTheChat } from "@/test/chat";
import { place } from "@/test/fake-virtua";
import { envelope, serve } from "@/test/server";

let chat: ChatServer;

beforeEach(() => {
  chat = serveTheChat();
});

const QUOTE = {
  id: "Enyimba-1",
  user_id: "member-2",
  firstname: "Bello",
  lastname: "Musa",
  excerpt: "Message 1",
};
const NOW = () => Date.now();
const options = () => screen.getByRole("button", { name: /^Options for .*'s message/ });
/** Press it in the menu, and again in the confirmation. */
async function deleteForAll(user: Awaited<ReturnType<typeof chatting>>["user"]): Promise<void> {
  await user.click(screen.getByRole("button", { name: "Delete for all" }));
  await user.click(screen.getByRole("button", { name: "Delete for all" }));
}
const composing = () => screen.getByRole("textbox").closest("form") as HTMLElement;

test("another member's message has the reactions, Reply, Copy and Report; your own can be deleted", async () => {
  chat.stored["Enyimba"] = [aMessage(1), aMessage(2, { user_id: "member-1", time: NOW() })];
  const { user, socket } = await chatting();
  const acts = () =>
    within(screen.getByRole("dialog"))
      .getAllByRole("button")
      .map(({ textContent }) => textContent)
      .filter(Boolean);

  await user.click(options());
  const feelings = within(screen.getByRole("group", { name: "React" })).getAllByRole("button");
  expect(feelings).toHaveLength(6);
  expect(acts().slice(6)).toEqual(["Reply", "Copy", "Report"]);
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "Options for your message" }));
  expect(acts()).toEqual(["Reply", "Copy", "Delete for all"]);

  await deleteForAll(user);
  const sent = socket.of("delete_message")[0];
  expect(sent?.content).toEqual({ club: "Enyimba", id: "Enyimba-2" });
  await act(async () =>
    sent?.acknowledge({}, { status: 409, code: "too_late", message: "It is too late." }),
  );
  expect(await screen.findByText("It is too late.")).toBeInTheDocument();
  expect(screen.getByText(/^Message 2/)).toBeInTheDocument();
});

test("before a message is deleted for all it is asked, and keeping it is the first choice", async () => {
  chat.stored["Enyimba"] = [aMessage(1, { user_id: "member-1", time: NOW() })];
  const { user, socket } = await chatting();
  const options = screen.getByRole("button", { name: "Options for your message" });
  const ask = async () => {
    await user.click(options);
    await user.click(screen.getByRole("button", { name: "Delete for all" }));
    return screen.getByRole("dialog", { name: "Delete this message for everybody?" });
  };
  expect(await ask()).toHaveTextContent("Message 1");
  expect(screen.getByRole("button", { name: "Keep it" })).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(options).toHaveFocus();
  await ask();
  await user.click(screen.getByRole("button", { name: "Close dialog" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(socket.of("delete_message")).toEqual([]);

  await ask();
  await user.click(screen.getByRole("button", { name: "Delete for all" }));

  expect(socket.of("delete_message")).toHaveLength(1);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("after ten minutes an own message cannot be deleted, and a deleted one is gone", async () => {
  const old = aMessage(1, { user_id: "member-1", time: NOW() - 601_000 });
  chat.stored["Enyimba"] = [old, aMessage(2, { user_id: "member-1", time: NOW() })];
  const { user, socket } = await chatting();
  const [first, second] = screen.getAllByRole("button", { name: "Options for your message" });
  await user.click(first as HTMLElement);
  expect(screen.queryByRole("button", { name: "Delete for all" })).toBeNull();
  await user.keyboard("{Escape}");

  await user.click(second as HTMLElement);
  await deleteForAll(user);
  await act(async () => socket.of("delete_message")[0]?.acknowledge({ id: "Enyimba-2" }));

  expect(screen.queryByText(/^Message 2/)).toBeNull();
  expect(screen.getByText(/^Message 1/)).toBeInTheDocument();
});

test("an answer stands above the text, goes out with the message, and can be removed", async () => {
  chat.stored["Enyimba"] = [aMessage(1)];
  const { user, socket, field } = await chatting();
  await user.click(options());
  await user.click(screen.getByRole("button", { name: "Reply" }));
  expect(field).toHaveFocus();
  expect(composing()).toHaveTextContent("Answer to Musa BelloMessage 1");
  await user.click(screen.getByRole("button", { name: "Remove the quote" }));
  await user.type(field, "plain{Enter}");
  expect(socket.of("message")[0]?.content).not.toHaveProperty("reply_to");
  await act(async () => socket.of("message")[0]?.acknowledge({ id: "a", seq: 2, time: NOW() }));

  await user.click(options());
  await user.click(screen.getByRole("button", { name: "Reply" }));
  await user.type(field, "me{Enter}");

  expect(socket.of("message")[1]?.content["reply_to"]).toBe("Enyimba-1");
  expect(composing()).not.toHaveTextContent("Message 1");
  expect(screen.getAllByRole("button", { name: /^Answer to Musa Bello/ })).toHaveLength(1);
});

test("an answer that waits for the network keeps what it answers through a reload", async () => {
  chat.stored["Enyimba"] = [aMessage(1)];
  const first = await chatting();
  await first.user.click(options());
  await first.user.click(screen.getByRole("button", { name: "Reply" }));
  await receive(first.socket, "disconnect", "transport close");
  await first.user.type(first.field, "me{Enter}");
  first.unmount();

  const { socket } = await chatting();

  expect(socket.of("message")[0]?.content).toMatchObject({
    chat_message: "me",
    reply_to: "Enyimba-1",
  });
});

test("when what is answered is gone, the message can be sent without the quote", async () => {
  chat.stored["Enyimba"] = [aMessage(1)];
  const { user, socket, field } = await chatting();
  await user.click(options());
  await user.click(screen.getByRole("button", { name: "Reply" }));
  await receive(socket, "message_hidden", { id: "Enyimba-1", club: "Enyimba" });
  expect(composing()).toHaveTextContent("Message deleted");
  await user.type(field, "me{Enter}");
  const refused = { status: 404, code: "not_found", message: "Not found." };
  await act(async () => socket.of("message")[0]?.acknowledge(null, refused));
  expect(screen.getByRole("alert")).toHaveTextContent("The message you answer is no longer there.");

  await user.click(screen.getByRole("button", { name: "Send without the quote" }));

  const [first, second] = socket.of("message");
  expect(second?.content["client_id"]).toBe(first?.content["client_id"]);
  expect(second?.content).not.toHaveProperty("reply_to");
});

test("a quote leads to its message, also when it has to be read first, and says when it is gone", async () => {
  chat.stored["Enyimba"] = [...messages(1, 80), aMessage(81, { reply_to: QUOTE })];
  Object.assign(place, { scrollSize: 4000, scrollOffset: 3600 });
  const { user, socket } = await chatting();
  expect(document.querySelector('[data-message="Enyimba-1"]')).toBeNull();

  await user.click(screen.getByRole("button", { name: /^Answer to Musa Bello/ }));

  await waitFor(() => expect(document.querySelector('[data-message="Enyimba-1"]')).toHaveFocus());
  await receive(socket, "message_hidden", { id: "Enyimba-1", club: "Enyimba" });
  expect(screen.queryByRole("button", { name: /^Answer to/ })).toBeNull();
  expect(screen.getByText("Message deleted")).toBeInTheDocument();
  await receive(socket, "message", aMessage(82, { reply_to: QUOTE }));
  expect(screen.getAllByText("Message deleted")).toHaveLength(2);
});

test("a reaction is there at once, and the server's word stands", async () => {
  chat.stored["Enyimba"] = [aMessage(1, { reactions: { goal: 2 } })];
  const { user, socket } = await chatting();
  const chip = (name: string) => screen.getByRole("button", { name });
  expect(chip("Goal, 2")).toHaveAttribute("aria-pressed", "false");
  await user.click(options());
  await user.click(screen.getByRole("button", { name: "Fire" }));
  expect(chip("Fire, 1")).toHaveAttribute("aria-pressed", "true");
  const sent = socket.of("react")[0];
  expect(sent?.content).toEqual({ club: "Enyimba", id: "Enyimba-1", key: "fire" });
  await act(async () =>
    sent?.acknowledge({ id: "Enyimba-1", counts: { goal: 2, fire: 5 }, mine: "fire" }),
  );
  expect(chip("Fire, 5")).toHaveAttribute("aria-pressed", "true");

  await receive(socket, "reactions", { id: "Enyimba-1", club: "Enyimba", counts: { fire: 6 } });
  expect(chip("Fire, 6")).toHaveAttribute("aria-pressed", "true");
  await user.click(chip("Fire, 6"));
  expect(chip("Fire, 5")).toHaveAttribute("aria-pressed", "false");
  const again = socket.of("react")[1];
  expect(again?.content["key"]).toBeNull();
  await act(async () =>
    again?.acknowledge({}, { status: 429, code: "too_many_reactions", message: "Too fast." }),
  );
  expect(chip("Fire, 6")).toHaveAttribute("aria-pressed", "true");
  expect(await screen.findByText("Too fast.")).toBeInTheDocument();
});

test("after an @ members are found; arrows and Enter choose, Escape leaves the text alone", async () => {
  const asked = serve("get", "/api/v1/chat-people/:club", () =>
    envelope(200, [
      { id: "m2", firstName: "Bello", lastName: "Musa", avatar: null },
      { id: "m3", firstName: "Beni Joy", lastName: "Ayo", avatar: null },
    ]),
  );
  const { user, socket, field } = await chatting();
  await user.type(field, "Hey @be");
  const list = await screen.findByRole("listbox", { name: "Members" });
  expect(
    within(list)
      .getAllByRole("option")
      .map(({ textContent }) => textContent),
  ).toEqual(["MMusa Bello", "AAyo Beni"]);
  expect(asked[0]?.url.searchParams.get("q")).toBe("be");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("listbox")).toBeNull();
  expect(field).toHaveValue("Hey @be");

  await user.type(field, "n");
  await screen.findByRole("listbox");
  await user.keyboard("{Enter}");
  expect(field).toHaveValue("Hey @Ayo Beni ");
  await user.type(field, "and @bel");
  await screen.findByRole("listbox");
  fireEvent.click(screen.getByRole("option", { name: /Musa Bello/ }));
  await user.type(field, "!{Enter}");

  expect(socket.of("message")[0]?.content).toMatchObject({
    chat_message: "Hey @Ayo Beni and @Musa Bello !",
    mentions: ["m3", "m2"],
  });
});

test("a name that was chosen is no question any more: the next Enter sends", async () => {
  serve("get", "/api/v1/chat-people/:club", () =>
    envelope(200, [{ id: "m4", firstName: "Ada", lastName: "Obi", avatar: null }]),
  );
  const { user, socket, field } = await chatting();
  await user.type(field, "@Obi");
  await screen.findByRole("listbox", { name: "Members" });
  await user.keyboard("{Enter}");
  expect(field).toHaveValue("@Obi Ada ");
  expect(screen.queryByRole("listbox")).toBeNull();
  await user.keyboard("{Backspace}");
  expect(screen.queryByRole("listbox")).toBeNull();

  await user.keyboard("{Enter}");

  expect(socket.of("message")[0]?.content).toMatchObject({
    chat_message: "@Obi Ada",
    mentions: ["m4"],
  });
  expect(field).toHaveValue("");
});

test("a message that names the member says so", async () => {
  chat.stored["Enyimba"] = [aMessage(1, { mentions: ["member-1"] }), aMessage(2)];
  await chatting();
  expect(screen.getAllByText("Mentions you:")).toHaveLength(1);
});

test("a finger that rests on a message opens its menu, one that moves does not", async () => {
  chat.stored["Enyimba"] = [aMessage(1)];
  await chatting();
  const bubble = screen.getByText(/^Message 1/);
  const touch = { pointerType: "touch", clientX: 10, clientY: 10 };
  fireEvent.pointerDown(bubble, touch);
  fireEvent.pointerMove(bubble, { ...touch, clientY: 40 });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(screen.queryByRole("dialog")).toBeNull();

  fireEvent.pointerDown(bubble, touch);
  expect(await screen.findByRole("dialog")).toBeInTheDocument();
});
