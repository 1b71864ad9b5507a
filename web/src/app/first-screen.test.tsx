import { expect, test, vi } from "vitest";
import { preloadScreen } from "@/app/screens";

const fetched = vi.hoisted((): string[] => []);
const noting = vi.hoisted(() => (name: string) => () => {
  fetched.push(name);
  return { default: () => null };
});
vi.mock("@/app/shell/member-shell", noting("the shell"));
vi.mock("@/features/wallet/wallet-screen", noting("the wallet"));
vi.mock("@/features/auth/reset-password-screen", noting("a reset"));

/** The scripts that an address fetches for the first time: each script is fetched once. */
async function fetchedFor(address: string, isMember: boolean): Promise<string[]> {
  fetched.length = 0;
  await preloadScreen(address, isMember);
  return fetched.toSorted();
}

test("an address has its own screen fetched, a member's beside the shell, a visitor's way to sign in alone", async () => {
  expect(await fetchedFor("/wallet", false)).toEqual([]);
  expect(await fetchedFor("/reset-password", true)).toEqual(["a reset"]);
  expect(await fetchedFor("/wallet", true)).toEqual(["the shell", "the wallet"]);
});
