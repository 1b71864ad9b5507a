import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";

const START_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 250;
const ROOT = path.resolve("..");

/** A separate product whose clock a test can move. */
export interface MovedProduct {
  url: string;
  /** The folder of its mails. */
  outbox: string;
  /** The product's time, in milliseconds since 1970. */
  nowMs: () => number;
  /** Set the product's clock; it cannot go back. */
  moveTo: (epochMs: number) => void;
  stop: () => Promise<void>;
}

/** Start the product on an empty folder; its server and its worker share the moved clock. */
export async function movedProduct(): Promise<MovedProduct> {
  const folder = mkdtempSync(path.join(tmpdir(), "fans-week-"));
  chmodSync(folder, 0o711); // as root, the database's account has to pass
  const ahead = path.join(folder, "ahead");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(path.join(ROOT, ".venv/bin/python"), ["-m", "api.dev", "start"], {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      PORT: String(port),
      VAR_DIR: path.join(folder, "var"),
      CLOCK_AHEAD: ahead,
      PYTHONPATH: path.join(ROOT, "web/e2e/moved-clock"),
    },
    stdio: "ignore",
  });
  let aheadMs = 0;
  await untilReady(url, server);
  return {
    url,
    outbox: path.join(folder, "var", "outbox"),
    nowMs: () => Date.now() + aheadMs,
    moveTo: (epochMs) => {
      aheadMs = Math.max(aheadMs, epochMs - Date.now());
      // Replaced atomically: the file is read all the time.
      writeFileSync(`${ahead}.new`, String(aheadMs / 1000));
      renameSync(`${ahead}.new`, ahead);
    },
    stop: async () => {
      server.kill("SIGTERM");
      if (server.exitCode === null) {
        await once(server, "exit");
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < until && server.exitCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  server.kill("SIGTERM");
  throw new Error("the product did not start");
}
