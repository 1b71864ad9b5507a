import { expect, test, vi } from "vitest";
import { preloadScreen } from "@/app/screens";

const fetched = vi.hoisted((): string[] => []);
const noting = vi.hoisted(() => (name: string) => () => {
  fetched.push(name);
  return { default: () => null };
});
vi.mock("@/app/shell/member-shell", noting("the shell"));
vi.mock("@/pages/wallet-page", noting("the wallet"));
vi.mock("@/pages/reset-password-page", noting("a reset"));

// Each script is fetched once, so that the order of the tests is that of what is fetched.
test("for a visitor at a member's address nothing is fetched but the way to sign in", async () => {
  await preloadScreen("/wallet", false);

  expect(fetched).toEqual([]);
});

test("at an address for everybody its own screen is fetched, for a member too", async () => {
  await preloadScreen("/reset-password", true);

  expect(fetched).toEqual(["a reset"]);
});

test("a member's screen is fetched beside the shell", async () => {
  fetched.length = 0;

  await preloadScreen("/wallet", true);

  expect(fetched.sort()).toEqual(["the shell", "the wallet"]);
});
