import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ReconnectingSocket } from "@/lib/live/reconnecting-socket";
import { prepareSockets } from "@/lib/live/socket";
import { type FakeSocket, sockets } from "@/test/fake-socket";

const RETRY_TIMEOUT_MS = 3000;
const received: string[] = [];

beforeAll(async () => {
  prepareSockets(); // its loading takes real time
  await vi.dynamicImportSettled();
});
beforeEach(() => {
  vi.useFakeTimers();
  sockets.length = 0;
  received.length = 0;
});
afterEach(() => vi.useRealTimers());

/** A connection with two retries, and its first socket, already connected. */
async function opened(change: Partial<ConstructorParameters<typeof ReconnectingSocket>[0]> = {}) {
  const line = new ReconnectingSocket({
    namespace: "/chat",
    handshake: { token: "t", userId: "member-1" },
    retries: 2,
    connecting: () => received.push("dialing"),
    connected: () => received.push("connected"),
    gaveUp: () => received.push("gave up"),
    listen: (socket) => socket.on("news", (text: string) => received.push(text)),
    ...change,
  });
  line.connect();
  await vi.advanceTimersByTimeAsync(0);
  const socket = newest();
  socket.emitToClient("connect");
  return { line, socket };
}

function refusal(status: number): Error {
  return Object.assign(new Error("no"), { data: { code: "x", status } });
}

function newest(): FakeSocket {
  return sockets.at(-1) as FakeSocket;
}

test("a line dials, connects, and hands over what arrives", async () => {
  const { line, socket } = await opened();
  socket.emitToClient("news", "goal");

  expect(received).toEqual(["dialing", "connected", "goal"]);
  expect(line.isConnected).toBe(true);
});

test("what is sent is acknowledged", async () => {
  const { line, socket } = await opened();
  const answered = vi.fn();

  expect(line.send("read", { seq: 7 }, answered)).toBe(true);
  socket.of("read")[0]?.acknowledge({ kept: 7 });

  expect(answered).toHaveBeenCalledWith({
    status: 200,
    message: "OK",
    code: "",
    data: { kept: 7 },
  });
});

test("without an acknowledgement in time the line is dead, and dialled anew", async () => {
  const { line, socket } = await opened();
  const answered = vi.fn();
  line.send("read", {}, answered);
  socket.of("read")[0]?.lose();
  await vi.advanceTimersByTimeAsync(0);

  expect(answered).toHaveBeenCalledWith(null);
  expect(socket.closed).toBe(true);
  expect(newest()).not.toBe(socket);
});

test("nothing is sent over a line that is down, and nothing heard of an old one", async () => {
  const { line, socket } = await opened();
  const answered = vi.fn();
  line.send("read", {}, answered);
  line.connect();

  expect(line.send("read", {}, answered)).toBe(false);
  socket.of("read")[0]?.acknowledge();
  expect(answered).not.toHaveBeenCalled();
});

test("what a silent connection did not take does not go out over the next one", async () => {
  const { line, socket } = await opened();
  const answered = vi.fn();
  socket.isSilent = true;

  expect(line.send("delete_message", {}, answered)).toBe(false);
  socket.emitToClient("disconnect", "ping timeout");
  socket.emitToClient("connect");

  expect(socket.sent).toEqual([]);
  expect(line.send("read", {}, answered)).toBe(true);
  expect(answered).not.toHaveBeenCalled();
});

test("a server that hangs up is called again within three seconds, a few times in a row", async () => {
  await opened();
  for (let time = 0; time < 3; time += 1) {
    newest().emitToClient("disconnect", "io server disconnect");
    await vi.advanceTimersByTimeAsync(RETRY_TIMEOUT_MS);
  }

  expect(sockets).toHaveLength(3);
  expect(received.at(-1)).toBe("gave up");
  expect(newest().closed).toBe(true);
});

test("once the server has taken the line, earlier tries count no more", async () => {
  const { line } = await opened();
  for (let time = 0; time < 5; time += 1) {
    newest().emitToClient("disconnect", "io server disconnect");
    await vi.advanceTimersByTimeAsync(RETRY_TIMEOUT_MS);
    line.resetRetries();
  }

  expect(received).not.toContain("gave up");
});

test("a lost network is the library's to bridge, until its tries are over", async () => {
  const { socket } = await opened();
  socket.emitToClient("disconnect", "transport close");
  await vi.advanceTimersByTimeAsync(5000);
  expect(sockets).toHaveLength(1);
  expect(received).toEqual(["dialing", "connected", "dialing"]);

  socket.emitFromManager("reconnect_failed");

  expect(received.at(-1)).toBe("gave up");
});

test("a line that gave up is revived with all its tries", async () => {
  const { line, socket } = await opened();
  socket.emitFromManager("reconnect_failed");
  line.resume();
  await vi.advanceTimersByTimeAsync(0);
  newest().emitToClient("connect");

  expect(newest()).not.toBe(socket);
  expect(line.isConnected).toBe(true);
});

test("a line that is refused gives up, unless its owner knows a way back in", async () => {
  const first = await opened();
  first.socket.active = false;
  first.socket.emitToClient("connect_error", refusal(404));
  expect(received.at(-1)).toBe("gave up");

  const ways = vi.fn((dial: () => void) => dial());
  const second = await opened({ refused: (again) => again(ways) });
  second.socket.active = false;
  second.socket.emitToClient("connect_error", refusal(404));
  expect(ways).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(RETRY_TIMEOUT_MS);

  expect(ways).toHaveBeenCalledOnce();
  expect(newest()).not.toBe(second.socket);
});

test("a server that is busy is called again a little later, and nobody is told of a refusal", async () => {
  const refused = vi.fn();
  const { socket } = await opened({ refused });
  socket.active = false;
  socket.emitToClient("connect_error", refusal(503));
  await vi.advanceTimersByTimeAsync(999);
  expect(sockets).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(RETRY_TIMEOUT_MS);

  expect(sockets).toHaveLength(2);
  expect(refused).not.toHaveBeenCalled();
  expect(received.at(-1)).toBe("dialing");
});

test("phones that the server sent away together do not call again together", async () => {
  const moments: number[] = [];
  const lines: FakeSocket[] = [];
  for (let count = 0; count < 40; count += 1) {
    lines.push((await opened()).socket);
  }
  const startedAt = Date.now();
  const known = sockets.length;
  for (const socket of lines) {
    socket.emitToClient("disconnect", "io server disconnect");
  }
  while (moments.length < lines.length && Date.now() - startedAt <= RETRY_TIMEOUT_MS) {
    await vi.advanceTimersByTimeAsync(100);
    while (known + moments.length < sockets.length) {
      moments.push(Date.now() - startedAt);
    }
  }

  expect(moments).toHaveLength(40);
  expect(new Set(moments).size).toBeGreaterThan(5);
});

test("a closed line stays closed", async () => {
  const { line, socket } = await opened();
  socket.emitToClient("disconnect", "io server disconnect");
  line.close();
  await vi.advanceTimersByTimeAsync(5000);

  expect(sockets).toHaveLength(1);
  expect(socket.closed).toBe(true);
});
