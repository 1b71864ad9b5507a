import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type Duplex, pipeline } from "node:stream";

/** The server at a separate address, with a service worker script that a test can change. */
export interface ChangingServer {
  url: string;
  /** How `/sw.js` is served from now on. */
  change: (script: (text: string) => string) => void;
  close: () => Promise<void>;
}

/** Browsers do not let tests intercept a worker's script, so a proxy changes it. */
export async function changingServer(target: string): Promise<ChangingServer> {
  let changed = (text: string) => text;
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const isWorker = incoming.url === "/sw.js";
    const headers = { ...incoming.headers };
    if (isWorker) {
      delete headers["accept-encoding"];
      delete headers["if-none-match"];
      delete headers["if-modified-since"];
    }
    const forwarded = request(`${target}${incoming.url}`, { method: incoming.method, headers });
    forwarded.on("response", (answer) => {
      if (!isWorker) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on("data", (part) => chunks.push(part));
      answer.on("end", () => {
        const script = changed(Buffer.concat(chunks).toString());
        const { "content-type": type, "cache-control": caching } = answer.headers;
        outgoing.writeHead(200, { "content-type": type, "cache-control": caching });
        outgoing.end(script);
      });
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  };
  // Without its sockets the app would poll on all six connections that a browser opens per host:
  // the worker then waits for files, and is not replaced before it has them.
  const sockets = new Set<Duplex>();
  const passSocket = (incoming: IncomingMessage, browser: Duplex, first: Buffer) => {
    const { hostname, port, host } = new URL(target);
    const headers = Object.entries({ ...incoming.headers, host, origin: target });
    const lines = [`GET ${incoming.url} HTTP/1.1`, ...headers.map((each) => each.join(": "))];
    const upstream = connect(Number(port), hostname);
    upstream.write(`${lines.join("\r\n")}\r\n\r\n`);
    upstream.write(first);
    sockets.add(browser);
    pipeline(browser, upstream, browser, () => sockets.delete(browser));
  };
  const server = createServer(pass).on("upgrade", passSocket);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    change: (script) => {
      changed = script;
    },
    close: () => {
      server.closeAllConnections();
      for (const socket of sockets) {
        socket.destroy();
      }
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
