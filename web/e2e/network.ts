import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { test as base } from "./fixtures.ts";
import { Frames } from "./websocket-frames.ts";

/** The fault of an exchange; in all but the first the server has processed the request. */
export const FAULTS = [
  "dropped before the server",
  "dropped after the server",
  "cut after the header",
  "cut after the first byte",
  "cut before the last byte",
  "held, then dropped",
  "answered 502 with a page",
] as const;

export type Fault = (typeof FAULTS)[number] | "held";

const PAGE_OF_502 = "<html><body><h1>502 Bad Gateway</h1></body></html>";
const HELD_MS = 400;
const ACKNOWLEDGEMENT = /^43\//;

interface Rule {
  fault: Fault;
  /** A request as `POST /api/v1/…`, or the text of a socket message. */
  wanted: RegExp;
  reached: () => void;
  released: Promise<void>;
}

/** A fault waiting for its request. */
export interface Struck {
  /** The request has arrived, and the fault was applied or the response is held. */
  reached: Promise<void>;
  /** Release a held response. */
  release: () => void;
}

/**
 * A faulty network between a browser and the server.
 *
 * It works at the server's level: the server's own address is replaced by the proxy's in the
 * traffic, so that pages, frames and sockets stay on one origin. Each response has a separate
 * connection: on a reused one the browser repeats a lost request automatically.
 */
export class Network {
  readonly #server: Server;
  readonly #behind: string;
  #rules: Rule[] = [];
  readonly #sockets = new Set<Duplex>();
  /** Every request that the browser sent, as `POST /api/v1/…`. */
  readonly seen: string[] = [];

  private constructor(behind: string) {
    this.#behind = behind;
    this.#server = createServer((incoming, answer) => void this.#exchange(incoming, answer));
    this.#server.on("upgrade", (incoming, socket, head) => this.#upgrade(incoming, socket, head));
    this.#server.on("connection", (socket) => this.#sockets.add(socket));
  }

  /** Proxy the server at `behind`, such as `http://127.0.0.1:8000`. */
  static async before(behind: string): Promise<Network> {
    const network = new Network(new URL(behind).host);
    network.#server.listen(0, "127.0.0.1");
    await once(network.#server, "listening");
    return network;
  }

  /** The address at which the browser opens the app. */
  get address(): string {
    return `http://${this.#host}`;
  }

  get #host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Apply `fault` to the next request, or socket message, that matches `wanted`. */
  strike(wanted: RegExp, fault: Fault): Struck {
    let reached = () => {};
    let release = () => {};
    const struck = { reached: new Promise<void>((resolve) => (reached = resolve)) };
    const released = new Promise<void>((resolve) => (release = resolve));
    this.#rules.push({ fault, wanted, reached, released });
    return { ...struck, release };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    this.#server.close();
    await once(this.#server, "close");
  }

  #ruleFor(what: string): Rule | null {
    const rule = this.#rules.find(({ wanted }) => wanted.test(what)) ?? null;
    this.#rules = this.#rules.filter((other) => other !== rule);
    return rule;
  }

  async #exchange(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = incoming;
    this.seen.push(`${method} ${url}`);
    const rule = this.#ruleFor(`${method} ${url}`);
    const body = await bytesOf(incoming);
    if (rule?.fault === "dropped before the server") {
      answer.destroy();
      rule.reached();
      return;
    }
    try {
      const { head, content } = await this.#ask(incoming, body);
      await (rule === null ? send(answer, head, content) : spoil(rule, answer, head, content));
    } catch {
      answer.destroy();
    }
  }

  async #ask(incoming: IncomingMessage, body: Buffer) {
    const { method, url } = incoming;
    const [hostname, port] = this.#behind.split(":");
    const headers = this.#inward(incoming.headers);
    const asked = request({ hostname, port, method, path: url, headers, agent: false });
    asked.end(body);
    const [head] = (await once(asked, "response")) as [IncomingMessage];
    const isText = /json|html/.test(head.headers["content-type"] ?? "");
    const bytes = await bytesOf(head);
    const content = isText ? Buffer.from(this.#outward(bytes.toString())) : bytes;
    return { head: this.#headOf(head, content.length), content };
  }

  #headOf({ statusCode = 0, headers }: IncomingMessage, length: number): Head {
    const { "transfer-encoding": _chunks, "keep-alive": _alive, ...others } = headers;
    const kept = JSON.parse(this.#outward(JSON.stringify(others))) as IncomingHttpHeaders;
    const hasBody = statusCode !== 204 && statusCode !== 304;
    return {
      status: statusCode,
      headers: {
        ...kept,
        connection: "close",
        ...(hasBody ? { "content-length": `${length}` } : {}),
      },
    };
  }

  #outward(text: string): string {
    return text.replaceAll(this.#behind, this.#host);
  }

  /** The headers as the server requires them: its own origin, and no compression. */
  #inward(headers: IncomingHttpHeaders): IncomingHttpHeaders {
    const {
      "accept-encoding": _packed,
      "sec-websocket-extensions": _extensions,
      ...kept
    } = headers;
    return JSON.parse(JSON.stringify(kept).replaceAll(this.#host, this.#behind));
  }

  #upgrade(incoming: IncomingMessage, browser: Duplex, head: Buffer): void {
    const [hostname = "", port] = this.#behind.split(":");
    const server = connect(Number(port), hostname);
    const lines = Object.entries(this.#inward(incoming.headers)).map(
      ([name, value]) => `${name}: ${String(value)}`,
    );
    server.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    server.write(head);
    this.#sockets.add(server);
    for (const [one, other] of [
      [browser, server],
      [server, browser],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
    this.#relay(browser, server);
  }

  #relay(browser: Duplex, server: Socket): void {
    let acknowledgement: Rule | null = null;
    const sent = new Frames();
    const received = new Frames({ afterHead: true });
    browser.on("data", (bytes: Buffer) => {
      for (const frame of sent.read(bytes)) {
        const rule = this.#ruleFor(frame.text);
        if (rule?.fault === "dropped before the server") {
          browser.destroy();
          rule.reached();
          return;
        }
        acknowledgement = rule ?? acknowledgement;
        server.write(frame.bytes);
      }
    });
    server.on("data", (bytes: Buffer) => {
      for (const frame of received.read(bytes)) {
        if (acknowledgement !== null && ACKNOWLEDGEMENT.test(frame.text)) {
          const { head, payload } = frame;
          void spoilBytes(acknowledgement, browser, head, payload);
          return;
        }
        browser.write(frame.bytes);
      }
    });
  }
}

interface Head {
  status: number;
  headers: IncomingHttpHeaders;
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const part of stream) {
    chunks.push(part as Buffer);
  }
  return Buffer.concat(chunks);
}

async function send(answer: ServerResponse, head: Head, content: Buffer): Promise<void> {
  answer.writeHead(head.status, head.headers);
  answer.end(content);
}

async function spoil(
  rule: Rule,
  answer: ServerResponse,
  head: Head,
  content: Buffer,
): Promise<void> {
  if (rule.fault === "held") {
    rule.reached();
    await rule.released;
    await send(answer, head, content);
  } else if (rule.fault === "answered 502 with a page") {
    answer.writeHead(502, { "content-type": "text/html", connection: "close" });
    answer.end(PAGE_OF_502);
    rule.reached();
  } else {
    const lines = Object.entries(head.headers).map(([name, value]) => `${name}: ${String(value)}`);
    const text = `HTTP/1.1 ${head.status} Spoiled\r\n${lines.join("\r\n")}\r\n\r\n`;
    await spoilBytes(rule, answer.socket as Duplex, Buffer.from(text), content);
  }
}

/** Send as much of a response as the fault allows, then close the connection. */
async function spoilBytes(
  { fault, reached }: Rule,
  browser: Duplex,
  head: Buffer,
  content: Buffer,
): Promise<void> {
  if (fault === "held, then dropped") {
    await new Promise((resolve) => setTimeout(resolve, HELD_MS));
  }
  const shares: Partial<Record<Fault, Buffer>> = {
    "cut after the header": head,
    "cut after the first byte": Buffer.concat([head, content.subarray(0, 1)]),
    "cut before the last byte": Buffer.concat([head, content.subarray(0, -1)]),
  };
  browser.end(shares[fault] ?? Buffer.alloc(0), () => browser.destroy());
  reached();
}

/** A test with a separate network between its browser and the server. */
export const test = base.extend<{ network: Network }>({
  network: async ({ baseURL }, use) => {
    const network = await Network.before(baseURL ?? "");
    await use(network);
    await network.close();
  },
});
