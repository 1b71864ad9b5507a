import type { Socket } from "socket.io-client";

/**
 * A socket's credentials: the token in the handshake, member and club in the query.
 *
 * `user` goes beside the token, for namespaces that require it.
 */
export interface Handshake {
  token: string;
  userId: string;
  clubId?: string;
  user?: object;
}

export interface SocketSettings {
  /** The number of retries of a lost connection before the socket gives up. */
  reconnectionAttempts?: number;
  /** The delay before the first retry. */
  reconnectionDelay?: number;
  /** The timeout of one attempt. */
  timeout?: number;
  transports?: ["websocket"];
}

interface SocketOptions {
  settings?: SocketSettings;
  /** The library itself failed to load. */
  onUnavailable?: () => void;
}

/**
 * Open `namespace` and pass the socket to `listen`; the returned function closes it permanently.
 *
 * The library loads only here, after the first paint. Each call gets a separate connection, because
 * a shared one silently keeps the first namespace's settings.
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
        // WebSocket first; polling is left to networks that block it.
        transports: ["websocket", "polling"],
        tryAllTransports: true,
        ...settings,
      });
      listen(socket);
    })
    .catch(() => {
      // For a screen that also polls, a failure needs no message.
      if (!left) {
        onUnavailable?.();
      }
    });
  return () => {
    left = true;
    socket?.close();
  };
}

/** Preload the library while another request delays the connection. */
export function prepareSockets(): void {
  void loadLibrary();
}

let library: Promise<typeof import("socket.io-client")> | null = null;

/** The library, loaded once for all screens; a failed load may be retried. */
function loadLibrary(): Promise<typeof import("socket.io-client")> {
  library ??= import("socket.io-client");
  library.catch(() => {
    library = null;
  });
  return library;
}
