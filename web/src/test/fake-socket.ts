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
  /** Let the acknowledgement time out. */
  lose: () => void;
}

/** A socket with the library's interface, whose other end is the test. */
export class FakeSocket {
  connected = false;
  active = true;
  closed = false;
  /** The server has been silent for longer than it may be. */
  isSilent = false;
  /** Buffered for the next connection: the library sends it automatically. */
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

  /** Fire an event of the socket. */
  emitToClient(event: string, content?: unknown): void {
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

  emitFromManager(event: string): void {
    this.#managerListeners.get(event)?.();
  }

  /** Everything sent under this name, oldest first. */
  of(event: string): SentEvent[] {
    return this.sent.filter((entry) => entry.event === event);
  }
}

/** Replaces the library; the newest socket of the battle ground, or of the chat, is the last. */
export const sockets: FakeSocket[] = [];

/** The shell's sockets on every screen, newest last. */
export const shellSockets: FakeSocket[] = [];

export const fakeLibrary = {
  io: vi.fn((namespace: string, options: Record<string, unknown>) => {
    const socket = new FakeSocket(namespace, options);
    (namespace === "/payment" ? shellSockets : sockets).push(socket);
    return socket;
  }),
};
