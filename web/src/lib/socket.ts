import type { Socket } from "socket.io-client";

/**
 * What a socket needs to be let in: the token in the handshake, who and which club in the query.
 *
 * `user` goes beside the token, for a namespace that asks who is behind it.
 */
export interface Handshake {
  token: string;
  userId: string;
  clubId?: string;
  user?: object;
}

export interface SocketSettings {
  /** How often a lost connection is tried again before the socket gives up. */
  reconnectionAttempts?: number;
  /** How long to wait before the first of them. */
  reconnectionDelay?: number;
  /** How long one try may take. */
  timeout?: number;
  transports?: ["websocket"];
}

interface SocketOptions {
  settings?: SocketSettings;
  /** The library itself did not load. */
  onUnavailable?: () => void;
}

/**
 * Open `namespace` and hand the socket to `listen`; the returned function closes it for good.
 *
 * The library loads only here, after the first paint. It gets a connection of its own, because a
 * shared one silently keeps the first namespace's settings.
 */
export function openSocket(
  namespace: string,
  { token, user, ...query }: Handshake,
  listen: (socket: Socket) => void,
  { settings = {}, onUnavailable }: SocketOptions = {},
): () => void {
  let left = false;
  let socket: Socket | null = null;
  loadLibrary()
    .then(({ io }) => {
      if (left) {
        return;
      }
      socket = io(namespace, {
        auth: user === undefined ? { token } : { token, user },
        query,
        forceNew: true,
        // Without the rounds of polling before it; those are left to networks that let no more through.
        transports: ["websocket", "polling"],
        tryAllTransports: true,
        ...settings,
      });
      listen(socket);
    })
    .catch(() => {
      // A screen that also asks by itself has nothing to tell the member.
      if (!left) {
        onUnavailable?.();
      }
    });
  return () => {
    left = true;
    socket?.close();
  };
}

/** Fetch the library while something else is awaited that comes before the connection. */
export function prepareSockets(): void {
  void loadLibrary();
}

let library: Promise<typeof import("socket.io-client")> | null = null;

/** The library, asked for once however many screens want it; a failed load may be tried again. */
function loadLibrary(): Promise<typeof import("socket.io-client")> {
  library ??= import("socket.io-client");
  library.catch(() => {
    library = null;
  });
  return library;
}
