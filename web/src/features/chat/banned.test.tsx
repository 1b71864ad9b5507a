import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chatting, line, receive, serveTheChat } from "@/test/chat";
import { sockets } from "@/test/fake-socket";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

const CLOSED = "You cannot use the chat for now";
const SENTENCE = "You cannot enter the chat at the moment. A moderator has blocked you.";

function banned(until: string | null) {
  return refusal(409, "banned", SENTENCE, { data: { until } });
}

beforeEach(() => {
  serveTheChat();
});

afterEach(() => {
  vi.useRealTimers();
});

test("who is banned reads calmly until when, and no line is opened", async () => {
  const joins = serve("post", "/api/v1/join-chat", () => banned("2026-12-24T11:30:00Z"));

  openAppAsMember("/chats");

  expect(await screen.findByText(CLOSED)).toBeInTheDocument();
  expect(screen.getByText("24 December 2026, 12:30 pm")).toBeInTheDocument();
  expect(screen.queryByPlaceholderText("Type a message...")).toBeNull();
  expect(sockets).toHaveLength(0);
  const asked = joins.length;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(joins).toHaveLength(asked);
});

test("a ban without an end says so", async () => {
  serve("post", "/api/v1/join-chat", () => banned(null));

  openAppAsMember("/chats");

  expect(await screen.findByText(/until further notice/)).toBeInTheDocument();
});

test("who is put out while the chat is open finds the sentence, and is not dialled again", async () => {
  const { socket } = await chatting();
  serve("post", "/api/v1/join-chat", () => banned(null));
  vi.useFakeTimers({ shouldAdvanceTime: true });

  await receive(socket, "disconnect", "io server disconnect");
  await act(() => vi.advanceTimersByTimeAsync(3000));
  const again = await line();
  again.active = false;
  await receive(again, "connect_error", Object.assign(new Error("x"), { data: { status: 409 } }));
  await act(() => vi.advanceTimersByTimeAsync(3000));

  expect(await screen.findByText(CLOSED)).toBeInTheDocument();
  const dialled = sockets.length;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(sockets).toHaveLength(dialled);
});

test("when the ban has ended the member is let in by itself", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const until = new Date(Date.now() + 45_000).toISOString();
  serve("post", "/api/v1/join-chat", () =>
    Date.now() < Date.parse(until)
      ? banned(until)
      : envelope(200, {
          rooms: [
            { club: "Enyimba", unread: 0, lastReadSeq: 0, lastSeq: 0 },
            { club: "Public", unread: 0, lastReadSeq: 0, lastSeq: 0 },
          ],
        }),
  );
  openAppAsMember("/chats");
  await screen.findByText(CLOSED);

  await act(() => vi.advanceTimersByTimeAsync(46_000));

  await waitFor(() => expect(screen.queryByText(CLOSED)).toBeNull());
  expect(await screen.findByPlaceholderText("Type a message...")).toBeInTheDocument();
});
