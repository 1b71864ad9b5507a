import { MutationObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { keys } from "@/api/query-keys";
import { createQueryClient } from "@/app/query-client";
import { NoAnswer } from "@/lib/live/failures";
import { clearToasts, readToasts, showToast } from "@/lib/ui/toasts";

afterEach(() => {
  clearToasts();
  vi.restoreAllMocks();
});

function ask(client = createQueryClient()) {
  return client
    .fetchQuery({
      queryKey: keys.plans,
      queryFn: () => Promise.reject(new NoAnswer()),
      retry: false,
      meta: { errorToast: true },
    })
    .catch(() => undefined);
}

test("what could not be asked is told where its screen asks for it", async () => {
  await ask();

  expect(readToasts().map(({ kind }) => kind)).toEqual(["error"]);
});

test("without a network nothing is told beside the banner", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);

  await ask();

  expect(readToasts()).toEqual([]);
});

test("what was read before stays in sight, so that its failed refresh needs no toast", async () => {
  const client = createQueryClient();
  client.setQueryData(keys.plans, "Terrace");

  await ask(client);

  expect(readToasts()).toEqual([]);
});

test("a new try ends the errors of those before it", async () => {
  const client = createQueryClient();
  const mutations = client.getMutationCache();
  showToast("error", "No answer from the server.");

  await mutations.build(client, { mutationFn: async () => "done" }).execute(undefined);

  expect(readToasts()).toEqual([]);
});

test("an upload that goes on after its screen was left is looked at only now and then", async () => {
  vi.useFakeTimers();
  const setTimer = vi.spyOn(globalThis, "setTimeout");
  const observer = new MutationObserver(createQueryClient(), {
    mutationFn: () => new Promise<never>(() => undefined),
  });
  const leave = observer.subscribe(() => undefined);
  void observer.mutate();
  leave();

  await vi.advanceTimersByTimeAsync(10_000);

  const timers = setTimer.mock.calls.length;
  setTimer.mockRestore();
  expect(timers).toBeLessThan(15);
});
