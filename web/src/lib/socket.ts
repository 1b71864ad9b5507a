import type { Socket } from "socket.io-client";

/** What a socket needs to be let in: the token in the handshake, the member in the query. */
export interface Handshake {
  token: string;
  userId: string;
}

/**
 * Open `namespace` and hand the socket to `listen`; the returned function closes it for good.
 *
 * The library loads only here, after the first paint. It gets a connection of its own, because a
 * shared one silently keeps the first namespace's settings.
 */
export function openSocket(
  namespace: string,
  handshake: Handshake,
  listen: (socket: Socket) => void,
): () => void {
  let left = false;
  let socket: Socket | null = null;
  loadLibrary()
    .then(({ io }) => {
      if (left) {
        return;
      }
      socket = io(namespace, {
        auth: { token: handshake.token },
        query: { userId: handshake.userId },
        forceNew: true,
      });
      listen(socket);
    })
    .catch(() => {
      // Without the channel the screen still asks by itself; there is nothing to tell the member.
    });
  return () => {
    left = true;
    socket?.close();
  };
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
