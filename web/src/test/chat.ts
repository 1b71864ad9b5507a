import { act, screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import type { RoomState } from "@/api/wire";
import { aSession } from "@/test/factories";
import { type FakeSocket, sockets } from "@/test/fake-socket";
import { place } from "@/test/fake-virtua";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";

/** A message as the server sends it; number 7 of the club's room is `club-7`. */
export function aMessage(seq: number, change: Record<string, unknown> = {}) {
  const club = String(change["club"] ?? "Enyimba");
  return {
    id: `${club}-${seq}`,
    seq,
    client_id: `client-of-${club}-${seq}`,
    user_id: "member-2",
    club,
    chat_message: `Message ${seq}`,
    firstname: "Bello",
    lastname: "Musa",
    avatar: null,
    time: Date.parse("2026-11-21T12:00:00Z") + seq * 1000,
    ...change,
  };
}

export function messages(from: number, to: number, change: Record<string, unknown> = {}) {
  return Array.from({ length: to - from + 1 }, (_, step) => aMessage(from + step, change));
}

/** The server's state; a test changes it before it opens the screen, and while it is open. */
export interface ChatServer {
  rooms: RoomState[];
  /** By room name, oldest first. */
  stored: Record<string, ReturnType<typeof aMessage>[]>;
  isDown: boolean;
  joins: SeenRequest[];
  reads: SeenRequest[];
}

export function serveTheChat(): ChatServer {
  sockets.length = 0;
  Object.assign(place, { scrollOffset: 0, viewportSize: 400, scrollSize: 400 });
  const chat: ChatServer = {
    rooms: [
      { club: "Enyimba", unread: 0, lastReadSeq: 0, lastSeq: 0 },
      { club: "Public", unread: 0, lastReadSeq: 0, lastSeq: 0 },
    ],
    stored: { Enyimba: [], Public: [] },
    isDown: false,
    joins: [],
    reads: [],
  };
  const down = () => refusal(503, "unavailable", "The server is not available.");
  chat.joins = serve("post", "/api/v1/join-chat", () =>
    chat.isDown ? down() : envelope(200, { rooms: chat.rooms }),
  );
  chat.reads = serve("get", "/api/v1/chat-messages/:club", ({ url }) =>
    chat.isDown ? down() : envelope(200, pageOf(chat, url)),
  );
  return chat;
}

function pageOf(chat: ChatServer, url: URL) {
  const room = url.pathname.split("/").at(-1) === "club-1" ? "Enyimba" : "Public";
  const all = chat.stored[room] ?? [];
  const limit = Number(url.searchParams.get("limit") ?? 50);
  const after = url.searchParams.get("after");
  const before = url.searchParams.get("before");
  if (after !== null) {
    const start = all.findIndex(({ id }) => id === after) + 1;
    return all.slice(start, start + limit);
  }
  const end = before === null ? all.length : all.findIndex(({ id }) => id === before);
  return all.slice(Math.max(0, end - limit), end);
}

/** The current connection. */
export async function line(): Promise<FakeSocket> {
  await waitFor(() => expect(sockets.some(({ closed }) => !closed)).toBe(true));
  return sockets.findLast(({ closed }) => !closed) as FakeSocket;
}

/** Fire an event, or change the connection's state. */
export async function receive(socket: FakeSocket, event: string, content?: unknown) {
  await act(async () => socket.emitToClient(event, content));
}

/** Open the chat and its connection. */
export async function chatting(member = aSession()) {
  const app = openAppAsMember("/chats", member);
  const socket = await line();
  await receive(socket, "connect");
  await waitFor(() => expect(screen.queryByText("Loading messages")).toBeNull());
  return { ...app, socket, field: screen.getByPlaceholderText("Type a message...") };
}

/** The rows of the list. */
export function rows(): string[] {
  return Array.from(screen.getByRole("log").children, (row) => row.textContent ?? "");
}
