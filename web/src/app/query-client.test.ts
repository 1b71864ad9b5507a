import { afterEach, expect, test, vi } from "vitest";
import { createQueryClient } from "@/app/query-client";
import { NoAnswer } from "@/lib/failures";
import { readToasts } from "@/lib/toasts";

afterEach(() => vi.restoreAllMocks());

function ask() {
  return createQueryClient()
    .fetchQuery({
      queryKey: ["plan"],
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
