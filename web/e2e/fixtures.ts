import { readdirSync, readFileSync } from "node:fs";
import { test as base } from "@playwright/test";

/** The kernel counts CPU time in hundredths of a second, on every machine that has /proc. */
const TICKS_PER_SECOND = 100;

interface Process {
  pid: number;
  parent: number;
  /** Of the process and of its finished children. */
  ticks: number;
}

/** Every test records the CPU seconds used by its worker and its browser. */
export const test = base.extend<{ cost: undefined }>({
  cost: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from it
    async ({}, use, { annotations }) => {
      const before = secondsSoFar();
      await use(undefined);
      const description = (secondsSoFar() - before).toFixed(2);
      annotations.push({ type: "CPU seconds", description });
    },
    { auto: true },
  ],
});

/** The CPU seconds of this process and its descendants; 0 without /proc. */
function secondsSoFar(): number {
  const all = processes();
  let generation = all.filter(({ pid }) => pid === process.pid);
  let ticks = 0;
  while (generation.length > 0) {
    ticks += generation.reduce((sum, each) => sum + each.ticks, 0);
    const pids = new Set(generation.map(({ pid }) => pid));
    generation = all.filter(({ parent }) => pids.has(parent));
  }
  return ticks / TICKS_PER_SECOND;
}

function processes(): Process[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(processOf);
  } catch {
    return [];
  }
}

function processOf(pid: string): Process {
  // After the program's name, which may contain anything: state, parent, and the times from field
  // 12.
  const fields = statOf(pid)
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number);
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
  return { pid: Number(pid), parent: fields[1] ?? 0, ticks };
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return ""; // it has ended
  }
}
