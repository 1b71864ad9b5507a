import { vi } from "vitest";

type Listener = (content?: unknown) => void;
type Answering = (lost: Error | null, answer?: unknown) => void;

export interface SentEvent {
  event: string;
  content: Record<string, unknown>;
  /** Acknowledge as the server would. */
  acknowledge: (
    data?: unknown,
    refusal?: { status: number; code: string; message: string },
  ) => void;
  /** Let the time for an acknowledgement run out. */
  lose: () => void;
}

/** A socket of the library's shape, whose other end is the test. */
export class FakeSocket {
  connected = false;
  active = true;
  closed = false;
  /** Nothing has been heard of the server for longer than it may be silent. */
  isSilent = false;
  /** What waits for the next connection: the library sends it by itself. */
  readonly sendBuffer: SentEvent[] = [];
  readonly sent: SentEvent[] = [];
  readonly #listeners = new Map<string, Listener[]>();
  readonly #managerListeners = new Map<string, Listener>();
  readonly io = {
    on: (event: string, listener: Listener) => this.#managerListeners.set(event, listener),
  };

  constructor(
    readonly namespace: string,
    readonly options: Record<string, unknown>,
  ) {}

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  timeout(): this {
    return this;
  }

  emit(event: string, content: Record<string, unknown>, answering: Answering): void {
    const way = this.isSilent ? this.sendBuffer : this.sent;
    way.push({
      event,
      content,
      acknowledge: (data = {}, refusal) =>
        answering(null, { status: 200, message: "OK", code: "", data, ...refusal }),
      lose: () => answering(new Error("operation has timed out")),
    });
  }

  close(): void {
    this.closed = true;
    this.connected = false;
  }

  /** Let something happen to the socket or arrive over it. */
  hear(event: string, content?: unknown): void {
    if (event === "connect") {
      this.connected = true;
      this.isSilent = false;
      this.sent.push(...this.sendBuffer.splice(0));
    }
    if (event === "disconnect") {
      this.connected = false;
    }
    for (const listener of this.#listeners.get(event) ?? []) {
      listener(content);
    }
  }

  hearFromManager(event: string): void {
    this.#managerListeners.get(event)?.();
  }

  /** What was sent under this name, oldest first. */
  of(event: string): SentEvent[] {
    return this.sent.filter((entry) => entry.event === event);
  }
}

/** Stands in for the library; the newest socket of the battle ground, or of the chat, is the last. */
export const sockets: FakeSocket[] = [];

/** What the shell holds open beside them on every screen, the newest last. */
export const shellSockets: FakeSocket[] = [];

export const fakeLibrary = {
  io: vi.fn((namespace: string, options: Record<string, unknown>) => {
    const socket = new FakeSocket(namespace, options);
    (namespace === "/payment" ? shellSockets : sockets).push(socket);
    return socket;
  }),
};
