import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useSubmission } from "@/lib/ui/use-submission";

function submissionOf(repeatable: boolean) {
  const send = vi.fn(async (_: string) => "sent");
  const steps = { send, onSuccess: () => undefined, onError: () => undefined, repeatable };
  return { send, ...renderHook(() => useSubmission(steps)) };
}

test("what was sent stays busy until its form is gone, so that a second tap sends nothing", async () => {
  const { result, send } = submissionOf(false);

  await act(async () => result.current.submit("first"));
  expect(result.current.isPending).toBe(true);
  await act(async () => result.current.submit("second"));

  expect(send.mock.calls).toEqual([["first"]]);
  expect(result.current.isSuccess).toBe(true);
});

test("what may be repeated can be sent again", async () => {
  const { result, send } = submissionOf(true);

  await act(async () => result.current.submit("first"));
  expect(result.current.isPending).toBe(false);
  await act(async () => result.current.submit("second"));

  expect(send.mock.calls).toEqual([["first"], ["second"]]);
});
