import { afterEach, beforeEach } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Of the test's process, loading included. */
    cpuSeconds?: number;
  }
}

let before = process.cpuUsage();

beforeEach(() => {
  before = process.cpuUsage();
});
afterEach(({ task }) => {
  const { user, system } = process.cpuUsage(before);
  task.meta.cpuSeconds = (user + system) / 1_000_000;
});
