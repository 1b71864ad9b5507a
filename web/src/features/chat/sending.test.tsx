import { act, fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { aMessage, chatting, line, receive, rows, serveTheChat } from "@/test/chat";

beforeEach(() => {
  serveTheChat();
});

test("Enter sends: the message is there at once, on its way, and then sent", async () => {
  const { user, socket, field } = await chatting();

  await user.type(field, "  Up Enyimba!  {Enter}");

  expect(field).toHaveValue("");
  expect(rows().at(-1)).toContain("Up Enyimba!Sending…");
  const sent = socket.of("message")[0];
  expect(sent?.content).toEqual({
    user_id: "member-1",
    club: "Enyimba",
    chat_message: "Up Enyimba!",
    lastname: "Obi",
    time: expect.any(Number),
    client_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-/),
  });
  await act(async () =>
    sent?.acknowledge({ id: "m1", seq: 1, time: Date.parse("2026-11-21T12:30:00Z") }),
  );
  await receive(
    socket,
    "message",
    aMessage(1, { id: "m1", client_id: sent?.content["client_id"], user_id: "member-1" }),
  );

  expect(screen.getAllByText(/Up Enyimba!/)).toHaveLength(1);
  expect(rows().at(-1)).toContain("1:30 pm");
  expect(screen.getByRole("img", { name: "Sent" })).toBeInTheDocument();
});

test("Shift+Enter breaks the line, and neither blanks nor composed letters are sent", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "   {Enter}");
  expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();

  await user.clear(field);
  await user.type(field, "one{Shift>}{Enter}{/Shift}two");
  expect(field).toHaveValue("one\ntwo");
  fireEvent.keyDown(field, { key: "Enter", isComposing: true });
  fireEvent.keyDown(field, { key: "Enter", keyCode: 229 });
  expect(socket.of("message")).toHaveLength(0);

  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(socket.of("message")[0]?.content["chat_message"]).toBe("one\ntwo");
});

test("from 900 characters on they are counted, and more than 1,000 are not sent", async () => {
  const { user, socket, field } = await chatting();
  fireEvent.change(field, { target: { value: "😂".repeat(899) } });
  expect(screen.queryByText(/characters/)).toBeNull();
  fireEvent.change(field, { target: { value: "😂".repeat(1000) } });
  expect(screen.getByText("1,000 of 1,000 characters")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Send" })).toBeEnabled();

  fireEvent.change(field, { target: { value: "😂".repeat(1001) } });
  expect(field).toBeInvalid();
  expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
  await user.type(field, "{Enter}");
  expect(socket.of("message")).toHaveLength(0);
});

test("one message is on its way at a time, and the next follows its acknowledgement", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}two{Enter}");
  expect(socket.of("message").map(({ content }) => content["chat_message"])).toEqual(["one"]);

  await act(async () => socket.of("message")[0]?.acknowledge({ id: "a", seq: 1, time: 1 }));

  expect(socket.of("message").map(({ content }) => content["chat_message"])).toEqual([
    "one",
    "two",
  ]);
});

test("typed without a network, messages wait, survive a reload, and go out in order once", async () => {
  const first = await chatting();
  await receive(first.socket, "disconnect", "transport close");
  await first.user.type(first.field, "one{Enter}two{Enter}");
  expect(screen.getAllByText("Waiting for the network")).toHaveLength(2);
  expect(first.socket.of("message")).toHaveLength(0);
  first.unmount();

  const { socket } = await chatting();
  await act(async () => socket.of("message")[0]?.acknowledge({ id: "a", seq: 1, time: 1 }));
  await act(async () => socket.of("message")[1]?.acknowledge({ id: "b", seq: 2, time: 2 }));

  expect(socket.of("message").map(({ content }) => content["chat_message"])).toEqual([
    "one",
    "two",
  ]);
  expect(screen.getAllByRole("img", { name: "Sent" })).toHaveLength(2);
  expect(sessionStorage.getItem("chat-queue")).toBeNull();
});

test("a lost acknowledgement is asked for again over a new line, under the same name", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}");

  await act(async () => socket.of("message")[0]?.lose());
  const next = await line();
  expect(next).not.toBe(socket);
  await receive(next, "connect");

  expect(next.of("message")[0]?.content["client_id"]).toBe(
    socket.of("message")[0]?.content["client_id"],
  );
});

test("a refusal keeps the message with the server's sentence, for Retry or Delete", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}two{Enter}");
  const sentence = "You cannot write here until tomorrow.";
  await act(async () =>
    socket.of("message")[0]?.acknowledge({}, { status: 409, code: "muted", message: sentence }),
  );

  expect(screen.getByText("Not sent")).toBeInTheDocument();
  expect(screen.getByRole("alert")).toHaveTextContent(sentence);
  expect(socket.of("message")[1]?.content["chat_message"]).toBe("two");
  await act(async () => socket.of("message")[1]?.acknowledge({ id: "b", seq: 1, time: 1 }));

  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(socket.of("message")[2]?.content).toMatchObject({
    chat_message: "one",
    client_id: socket.of("message")[0]?.content["client_id"],
  });
  await act(async () =>
    socket.of("message")[2]?.acknowledge({}, { status: 409, code: "muted", message: sentence }),
  );
  await user.click(screen.getByRole("button", { name: "Delete" }));
  expect(screen.queryByText(/^one/)).toBeNull();
});

test("too many at once wait as long as the server says, and then go on by themselves", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}");
  vi.useFakeTimers();
  const rush = { status: 429, code: "too_many_messages", message: "Slow down." };

  await act(async () => socket.of("message")[0]?.acknowledge({ retryAfter: 3 }, rush));
  expect(screen.getByText("Sending…")).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(2900));
  expect(socket.of("message")).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(200));

  expect(socket.of("message")).toHaveLength(2);
});

test("an outage is no refusal: the message goes out again under the same name", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}");
  vi.useFakeTimers();
  const outage = { status: 503, code: "unavailable", message: "Please try again." };

  await act(async () => socket.of("message")[0]?.acknowledge({}, outage));
  await act(() => vi.advanceTimersByTimeAsync(1100));

  expect(new Set(socket.of("message").map(({ content }) => content["client_id"])).size).toBe(1);
  expect(socket.of("message")).toHaveLength(2);
  expect(screen.queryByText("Not sent")).toBeNull();
});

test("above a phone's keyboard the screen fills what is left, and all of it again after", async () => {
  const view = Object.assign(new EventTarget(), { height: 740, scale: 1 });
  vi.stubGlobal("visualViewport", view);
  vi.stubGlobal("innerHeight", 740);
  const root = document.documentElement;
  const { unmount } = await chatting();
  expect(root.dataset["filled"]).toBe("chat");

  view.height = 420;
  view.dispatchEvent(new Event("resize"));
  expect(root.dataset["filled"]).toBe("keyboard");
  expect(root.style.getPropertyValue("--visible-height")).toBe("420px");

  view.height = 700;
  view.dispatchEvent(new Event("resize"));
  expect(root.dataset["filled"]).toBe("chat");
  unmount();
  expect(root.dataset["filled"]).toBeUndefined();
});

test("a draft is kept for each tab, through a reload", async () => {
  const { user, field, unmount } = await chatting();
  await user.type(field, "for the club");
  await user.click(screen.getByRole("tab", { name: /Public/ }));
  expect(screen.getByPlaceholderText("Type a message...")).toHaveValue("");
  await user.type(screen.getByPlaceholderText("Type a message..."), "for all");
  unmount();

  const again = await chatting();
  expect(again.field).toHaveValue("for the club");
  await again.user.click(screen.getByRole("tab", { name: /Public/ }));
  expect(screen.getByPlaceholderText("Type a message...")).toHaveValue("for all");
});
