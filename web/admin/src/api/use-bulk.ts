import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Cancelled, messageOf, NoAnswer, neverSent, Refusal } from "@/lib/live/failures";
import type { Writing } from "~/api/calls";
import type { WriteRequest } from "~/api/client";
import { markAllStale } from "~/api/queries";
import { performOnce } from "~/api/use-write-call";

const SESSION_OVER = 401;
const TOO_MANY = 429;

/** A call for one row of a list. */
export interface BulkItem {
  /** The row's key. */
  id: string;
  name: string;
  request: BulkRequest;
}

export interface BulkRequest {
  inPath: Readonly<Record<string, string>>;
  body?: object;
}

export interface BulkFailure {
  id: string;
  name: string;
  /** The server's sentence. */
  message: string;
}

/** The run of a call over rows, and its outcome so far. */
export interface BulkRun {
  text: string;
  total: number;
  worked: number;
  failures: readonly BulkFailure[];
  state: "running" | "stopping" | "stopped" | "done";
}

interface Bulk {
  run: BulkRun | null;
  start: (call: Writing, text: string, items: readonly BulkItem[]) => Promise<void>;
  stop: () => void;
  dismiss: () => void;
}

/**
 * Make a call for one row after the other, each with its own idempotency key.
 *
 * It goes on after a refusal, and stops by itself where all further calls would fail too: offline,
 * signed out or rate-limited. `onWorked` gets the id of each row that worked.
 */
export function useBulk(onWorked: (id: string) => void): Bulk {
  const queryClient = useQueryClient();
  const [run, setRun] = useState<BulkRun | null>(null);
  const isStopped = useRef(false);
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);

  const start: Bulk["start"] = async (call, text, items) => {
    isStopped.current = false;
    let now: BulkRun = { text, total: items.length, worked: 0, failures: [], state: "running" };
    const change = (changes: Partial<BulkRun>) => {
      now = { ...now, ...changes };
      setRun({ ...now, ...(now.state === "running" && isStopped.current ? STOPPING : {}) });
    };
    change({});
    await tryEach(call, items, isStopped, {
      onWorked: (id) => {
        onWorked(id);
        change({ worked: now.worked + 1 });
      },
      onFailure: (failure) => change({ failures: [...now.failures, failure] }),
    });
    await markAllStale(queryClient);
    const isComplete = now.worked + now.failures.length === now.total;
    change({ state: isComplete ? "done" : "stopped" });
  };
  const stop = () => {
    isStopped.current = true;
    setRun((before) => (before === null ? null : { ...before, ...STOPPING }));
  };
  return { run, start, stop, dismiss: () => setRun(null) };
}

interface Reports {
  onWorked: (id: string) => void;
  onFailure: (failure: BulkFailure) => void;
}

async function tryEach(
  call: Writing,
  items: readonly BulkItem[],
  isStopped: { current: boolean },
  { onWorked, onFailure }: Reports,
): Promise<void> {
  for (const { id, name, request } of items) {
    if (isStopped.current) {
      return;
    }
    try {
      await performAgain(call, request as Omit<WriteRequest<Writing>, "key" | "body">);
      onWorked(id);
    } catch (error) {
      onFailure({ id, name, message: messageOf(error) });
      if (endsRun(error)) {
        return;
      }
    }
  }
}

/** Make a call; one whose answer is lost is repeated once, as the same request. */
async function performAgain(call: Writing, request: Omit<WriteRequest<Writing>, "key">) {
  try {
    await performOnce(call, request);
  } catch (error) {
    if (!(error instanceof NoAnswer) || neverSent(error)) {
      throw error;
    }
    await performOnce(call, request);
  }
}

const STOPPING = { state: "stopping" } as const;

/** Whether all further calls would fail for the same reason. */
function endsRun(error: unknown): boolean {
  return (
    neverSent(error) ||
    error instanceof Cancelled ||
    (error instanceof Refusal && (error.status === SESSION_OVER || error.status === TOO_MANY))
  );
}
