import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import {
  aMessage,
  type ChatServer,
  chatting,
  messages,
  receive,
  rows,
  serveTheChat,
} from "@/test/chat";
import { place } from "@/test/fake-virtua";

let chat: ChatServer;

beforeEach(() => {
  chat = serveTheChat();
  chat.stored["Enyimba"] = messages(1, 3);
});

const users = (slow: number) => ({ counts: { Enyimba: 500 }, slow: { Enyimba: slow, Public: 0 } });
const skipped = (from: number, to: number) => ({ club: "Enyimba", count: to - from + 1, from, to });
const slowMode = {
  status: 429,
  code: "slow_mode",
  message: "Slow mode is on. Wait a moment before your next message.",
};

/** Ten messages have arrived, and twelve were not sent. */
async function inACrowd() {
  const opened = await chatting();
  for (const message of messages(4, 13)) {
    await receive(opened.socket, "message", message);
  }
  chat.stored["Enyimba"] = messages(1, 26);
  await receive(opened.socket, "messages_skipped", skipped(14, 25));
  await receive(opened.socket, "message", aMessage(26));
  return { ...opened, readsBefore: chat.reads.length };
}

test("messages that were not sent are counted in their place, and nothing is loaded", async () => {
  const { readsBefore } = await inACrowd();

  expect(rows().slice(-3)).toEqual([
    expect.stringContaining("Message 13"),
    "+ 12 new messages",
    expect.stringContaining("Message 26"),
  ]);
  expect(chat.reads).toHaveLength(readsBefore);
});

test("pressing the count loads these messages, once", async () => {
  const { user, readsBefore } = await inACrowd();

  await user.click(screen.getByRole("button", { name: "+ 12 new messages" }));

  expect(await screen.findByText(/^Message 25/)).toBeInTheDocument();
  expect(screen.queryByText(/new messages$/)).toBeNull();
  expect(rows().filter((text) => text.includes("Message"))).toHaveLength(26);
  expect(chat.reads).toHaveLength(readsBefore + 1);
  const query = chat.reads.at(-1)?.url.searchParams;
  expect([query?.get("after"), query?.get("limit")]).toEqual(["Enyimba-13", "12"]);
});

test("after a failure the count stays, to be pressed again", async () => {
  const { user } = await inACrowd();
  chat.isDown = true;
  await user.click(screen.getByRole("button", { name: "+ 12 new messages" }));
  expect(await screen.findByText("Couldn't load messages.")).toBeInTheDocument();

  chat.isDown = false;
  await user.click(screen.getByRole("button", { name: "+ 12 new messages" }));
  expect(await screen.findByText(/^Message 25/)).toBeInTheDocument();
});

test("many are loaded a hundred at a time", async () => {
  const { user, socket } = await chatting();
  chat.stored["Enyimba"] = messages(1, 300);
  await receive(socket, "messages_skipped", skipped(4, 300));

  await user.click(screen.getByRole("button", { name: "+ 297 new messages" }));
  expect(await screen.findByRole("button", { name: "+ 197 new messages" })).toBeInTheDocument();
  expect(screen.getByText(/^Message 103/)).toBeInTheDocument();
});

test("scrolling back to the count loads these messages, watching the end does not", async () => {
  const { readsBefore } = await inACrowd();
  Object.assign(place, { scrollSize: 4000, scrollOffset: 3600 });
  fireEvent.scroll(screen.getByRole("log"));
  expect(chat.reads).toHaveLength(readsBefore);

  Object.assign(place, { scrollOffset: 3200 });
  fireEvent.scroll(screen.getByRole("log"));
  fireEvent.scroll(screen.getByRole("log"));

  expect(await screen.findByText(/^Message 25/)).toBeInTheDocument();
  expect(chat.reads).toHaveLength(readsBefore + 1);
});

test("scrolling asks once for what could not be loaded, and pressing the count asks again", async () => {
  const { user, readsBefore } = await inACrowd();
  chat.isDown = true;
  Object.assign(place, { scrollSize: 4000, scrollOffset: 3200 });
  fireEvent.scroll(screen.getByRole("log"));
  await waitFor(() => expect(chat.reads).toHaveLength(readsBefore + 1));
  await act(async () => new Promise((resolve) => setTimeout(resolve, 0)));
  fireEvent.scroll(screen.getByRole("log"));
  fireEvent.scroll(screen.getByRole("log"));
  expect(chat.reads).toHaveLength(readsBefore + 1);

  chat.isDown = false;
  await user.click(screen.getByRole("button", { name: "+ 12 new messages" }));
  expect(await screen.findByText(/^Message 25/)).toBeInTheDocument();
});

test("the quote of a message that was not sent leads to it", async () => {
  const { user, socket } = await inACrowd();
  const quote = { id: "Enyimba-20", user_id: "member-2", firstname: "Bello", lastname: "Musa" };
  const answer = { reply_to: { ...quote, excerpt: "Message 20" } };
  await receive(socket, "message", aMessage(27, answer));

  await user.click(screen.getByRole("button", { name: /Message 20/ }));

  await waitFor(() => expect(document.activeElement).toHaveAttribute("data-message", "Enyimba-20"));
  expect(screen.queryByRole("button", { name: /new messages$/ })).toBeNull();
});

test("a count that scrolls into view with the focus passes it on to its first message", async () => {
  await inACrowd();
  act(() => screen.getByRole("button", { name: "+ 12 new messages" }).focus());
  Object.assign(place, { scrollSize: 4000, scrollOffset: 3200 });
  fireEvent.scroll(screen.getByRole("log"));

  await waitFor(() => expect(document.activeElement).toHaveAttribute("data-message", "Enyimba-14"));
});

test("screen readers are told of messages that were not sent, a few times a minute", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout", "Date"] });
  const { socket } = await chatting();
  const announced = () => screen.queryByText(/^\+/, { selector: '[role="status"]' })?.textContent;
  await receive(socket, "messages_skipped", skipped(4, 8));
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(announced()).toBe("+ 5 new messages");

  await receive(socket, "messages_skipped", skipped(9, 20));
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(announced()).toBe("+ 5 new messages");
  await act(() => vi.advanceTimersByTimeAsync(11_000));
  expect(announced()).toBe("+ 12 new messages");
});

test("slow mode is said at the field, which it describes", async () => {
  const { socket, field } = await chatting();
  await receive(socket, "userList", users(5));

  expect(screen.getByText("Slow mode: one message every 5 seconds")).toBeInTheDocument();
  expect(field).toHaveAccessibleDescription("Slow mode: one message every 5 seconds");
  await receive(socket, "userList", users(0));
  expect(screen.queryByText(/Slow mode/)).toBeNull();
});

test("after a message the seconds are counted, and the next text stays in the field", async () => {
  const { user, socket, field } = await chatting();
  await receive(socket, "userList", users(5));
  await user.type(field, "one{Enter}two{Enter}");
  expect(field).toHaveValue("two");
  vi.useFakeTimers();
  await act(async () => socket.of("message")[0]?.acknowledge({ id: "a", seq: 4, time: 1 }));

  expect(screen.getByText("· 5 s left")).toHaveAttribute("aria-hidden", "true");
  expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
  fireEvent.keyDown(field, { key: "Enter" });
  expect(screen.getByText("You can send again in 5 seconds.")).toHaveAttribute("role", "status");
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(screen.getByText("· 3 s left")).toBeInTheDocument();
  expect(screen.getByText("You can send again in 5 seconds.")).toBeInTheDocument();
  fireEvent.keyDown(field, { key: "Enter" });
  expect(screen.getByText("You can send again in 3 seconds.")).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(3100));
  expect(screen.queryByText(/s left/)).toBeNull();

  expect(field).toHaveValue("two");
  fireEvent.keyDown(field, { key: "Enter" });
  expect(socket.of("message").at(-1)?.content["chat_message"]).toBe("two");
  expect(field).toHaveValue("");
});

test("a message that slow mode refuses goes back into the field", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}");
  expect(field).toHaveValue("");
  await act(async () => socket.of("message")[0]?.acknowledge({ retryAfter: 3.2 }, slowMode));

  expect(field).toHaveValue("one");
  expect(rows().at(-1)).toContain("Message 3");
  expect(screen.getByText(/^Slow mode: one message every 5 seconds/)).toBeInTheDocument();
  expect(screen.getByText("· 4 s left")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
});

test("if the field is in use, a refused message waits in the list and is sent after the pause", async () => {
  const { user, socket, field } = await chatting();
  await user.type(field, "one{Enter}two");
  vi.useFakeTimers();
  await act(async () => socket.of("message")[0]?.acknowledge({ retryAfter: 3 }, slowMode));
  expect(field).toHaveValue("two");
  expect(rows().at(-1)).toContain("one");

  await act(() => vi.advanceTimersByTimeAsync(3100));
  expect(socket.of("message").map(({ content }) => content["client_id"])).toEqual([
    socket.of("message")[0]?.content["client_id"],
    socket.of("message")[0]?.content["client_id"],
  ]);
});
