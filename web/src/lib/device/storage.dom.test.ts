import { afterEach, expect, test, vi } from "vitest";
import { clearMemberData, storedValue } from "@/lib/device/storage";

const secret = storedValue("test-secret", String, "for-this-page");

afterEach(() => vi.restoreAllMocks());

test("a value for this page is read back and written nowhere", () => {
  const setItem = vi.spyOn(Storage.prototype, "setItem");

  secret.write("Terrace-2026");

  expect(secret.read()).toBe("Terrace-2026");
  expect(setItem).not.toHaveBeenCalled();
});

test("a value for this page ends with the member's data", () => {
  const changed = vi.fn();
  const unsubscribe = secret.subscribe(changed);
  secret.write("Terrace-2026");
  changed.mockClear();

  clearMemberData();

  expect(secret.read()).toBeNull();
  expect(changed).toHaveBeenCalledOnce();
  unsubscribe();
});
