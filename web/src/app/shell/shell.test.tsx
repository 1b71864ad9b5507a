import { render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { publicScreens, shellScreens } from "@/app/routes";
import { useCart } from "@/features/shop/cart-context";
import { cartStore } from "@/lib/session/cart-store";
import { session } from "@/lib/session/session";
import * as navigation from "@/lib/ui/navigation";
import { aCartItem, aSession, aUser } from "@/test/factories";
import { serveTheGames } from "@/test/games";
import { openApp, openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

const leaveTo = vi.mocked(navigation.leaveTo);

beforeEach(() => {
  leaveTo.mockClear();
  serveTheGames();
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 25_000 }));
  serve("get", "/api/v1/products", () => envelope(200, []));
});

test("the route table is the specification's, with the wallet, boards, badges, predictions, notifications and password screens added", () => {
  expect(shellScreens.map((screenOf) => screenOf.path).sort()).toEqual(
    [
      "/",
      "/backups",
      "/badges",
      "/battle-zone",
      "/calendar",
      "/chats",
      "/checkout",
      "/leaderboard",
      "/logs",
      "/match/:id",
      "/news",
      "/news/:slug",
      "/notifications",
      "/orders",
      "/points",
      "/posts",
      "/predictions",
      "/product/:id",
      "/products",
      "/profile",
      "/settings",
      "/shopping",
      "/shopping/:id",
      "/subscriptions",
      "/trivia-questions",
      "/wallet",
    ].sort(),
  );
  expect(publicScreens.map((screenOf) => screenOf.path)).toEqual([
    "/signin",
    "/signup",
    "/activate-account/:id",
    "/forgot-password",
    "/reset-password",
  ]);
});

test("a visitor of the shell signs in first and then comes back to the same address", async () => {
  serve("post", "/api/v1/sign-in/username-password", () =>
    envelope(200, { user: aUser(), access_token: "token" }),
  );
  const { user } = openApp("/orders?from=mail");

  await user.type(await screen.findByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), "Terrace-2026");
  await user.click(screen.getByRole("button", { name: "Login" }));

  expect(await screen.findByRole("heading", { name: "Shopping Cart" })).toBeInTheDocument();
});

test("any other address shows URL not found!, and the ways that are open to the reader", async () => {
  const { unmount } = openApp("/no/such/page");

  expect(await screen.findByRole("heading", { name: "URL not found!" })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "See what's on" })).toHaveAttribute("href", "/welcome");
  expect(screen.getAllByRole("link", { name: "Sign in" })).not.toHaveLength(0);
  expect(screen.queryByRole("link", { name: "Back to the Dashboard" })).toBeNull();
  unmount();

  openAppAsMember("/no/such/page");
  expect(await screen.findByRole("link", { name: "Back to the Dashboard" })).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Sign in" })).toBeNull();
});

test("the menu has the groups and screens of the specification, and the ways to a match day", async () => {
  openAppAsMember("/backups");

  const menu = await screen.findByRole("navigation", { name: "Main menu" });
  const names = within(menu)
    .getAllByRole("link")
    .map((link) => link.textContent);

  for (const group of ["Main", "General", "Matchday", "Ecommerce", "Access"]) {
    expect(within(menu).getByRole("heading", { name: group })).toBeInTheDocument();
  }
  expect(names.slice(1)).toEqual([
    "Dashboard",
    "Profile",
    "Wallet",
    "Battle Zone",
    "Subscription",
    "Chats",
    "Posts",
    "Matches",
    "Predictions",
    "News",
    "Leader board",
    "Products",
    "Orders",
    "Shopping",
    "Settings",
  ]);
  expect(within(menu).getByRole("button", { name: "Logout" })).toBeInTheDocument();
});

test("the drawer opens with the hamburger, takes the focus, and closes with Escape", async () => {
  const { user } = openAppAsMember("/backups");
  const hamburger = await screen.findByRole("button", { name: "Open menu" });

  await user.click(hamburger);
  expect(hamburger).toHaveAttribute("aria-expanded", "true");
  expect(screen.getByRole("button", { name: "Close menu" })).toHaveFocus();

  await user.keyboard("{Escape}");
  expect(hamburger).toHaveAttribute("aria-expanded", "false");
  expect(hamburger).toHaveFocus();
});

test("the drawer closes when the screen it stands over is chosen again", async () => {
  const { user } = openAppAsMember("/news");
  const hamburger = await screen.findByRole("button", { name: "Open menu" });
  await user.click(hamburger);

  const menu = screen.getByRole("navigation", { name: "Main menu" });
  await user.click(within(menu).getByRole("link", { name: "News" }));

  expect(hamburger).toHaveAttribute("aria-expanded", "false");
  expect(hamburger).toHaveFocus();
});

test("a new screen names the tab and takes the focus to its heading", async () => {
  const { user } = openAppAsMember("/backups");
  const menu = await screen.findByRole("navigation", { name: "Main menu" });

  await user.click(within(menu).getByRole("link", { name: "Products" }));

  const heading = await screen.findByRole("heading", { level: 1, name: "Products" });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(document.title).toBe("Products · King of Fans");
});

test("the cart's badge counts its lines and leads to the orders", async () => {
  cartStore.write([aCartItem({ quantity: 4 }), aCartItem({ id: "scarf" })]);
  const { user } = openAppAsMember("/backups");

  const link = await screen.findByRole("link", { name: "Cart, 5 items" });
  expect(link).toHaveTextContent("2");
  await user.click(link);

  expect(await screen.findByRole("heading", { level: 1, name: "Orders" })).toBeInTheDocument();
});

test("the footer opens the legal pages in new tabs", async () => {
  openAppAsMember("/backups");
  await screen.findByRole("contentinfo");

  for (const [name, page] of [
    ["Privacy", "privacy"],
    ["Refund", "refund"],
    ["Terms and Conditions", "terms"],
  ] as const) {
    const link = screen.getByRole("link", { name });
    expect(link).toHaveAttribute("target", "_blank");
    expect(link).toHaveAttribute("href", `/legal/${page}`);
  }
});

test("logging out tells the server, forgets the user and leaves for the sign-in page", async () => {
  const requests = serve("post", "/api/v1/sign-out", () => envelope(200, null));
  const { user } = openAppAsMember("/backups");

  await user.click(await screen.findByRole("button", { name: "Logout" }));

  expect(await screen.findByRole("button", { name: "Login" })).toBeInTheDocument();
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]?.headers.get("Authorization")).toBe("Bearer token-of-ada");
  expect(session.read()).toBeNull();
});

test.each([401, 403])(
  "a %i to a call with a token signs out and goes to the sign-in page",
  async (status) => {
    serve("get", "/api/v1/products", () => refusal(status, "no_session", "Please sign in."));
    openAppAsMember("/products");

    await waitFor(() => expect(leaveTo).toHaveBeenCalledWith("/signin"));

    expect(session.read()).toBeNull();
  },
);

test("a 401 to a call without a token changes nothing", async () => {
  serve("post", "/api/v1/sign-in/username-password", () =>
    refusal(401, "wrong", "Wrong password."),
  );
  const { user } = openApp("/signin");
  await user.type(screen.getByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), "nope");
  await user.click(screen.getByRole("button", { name: "Login" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Wrong password.");
  expect(leaveTo).not.toHaveBeenCalled();
});

test("a stored user without a token or with damaged text counts as signed out", async () => {
  localStorage.setItem("user", JSON.stringify({ ...aSession(), userToken: "" }));
  expect(session.read()).toBeNull();

  localStorage.setItem("user", "{broken");
  openApp("/");

  expect(await screen.findByRole("heading", { name: "Login" })).toBeInTheDocument();
});

test("signing out in another tab signs out here", async () => {
  openAppAsMember("/backups");
  await screen.findByRole("heading", { name: "Backups" });

  localStorage.removeItem("user");
  window.dispatchEvent(new StorageEvent("storage", { key: "user" }));

  expect(await screen.findByRole("heading", { name: "Login" })).toBeInTheDocument();
});

test("the loss of the network is told while it lasts", async () => {
  openAppAsMember("/backups");
  await screen.findByRole("heading", { name: "Backups" });
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);

  window.dispatchEvent(new Event("offline"));
  expect(await screen.findByText(/You are offline/)).toBeInTheDocument();

  online.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(screen.queryByText(/You are offline/)).toBeNull());
});

test("the member chooses light or dark, and the page keeps it", async () => {
  const { user } = openAppAsMember("/backups");

  await user.click(await screen.findByRole("radio", { name: "Dark" }));
  expect(document.documentElement.dataset["theme"]).toBe("dark");

  await user.click(screen.getByRole("radio", { name: "Auto" }));
  expect(document.documentElement.dataset["theme"]).toBeUndefined();
});

test.each(
  shellScreens.filter(
    (entry) => entry.page === shellScreens.find(({ path }) => path === "/logs")?.page,
  ),
)("the screen $path that is not built yet says so", async ({ path, title }) => {
  openAppAsMember(path);

  expect(await screen.findByRole("heading", { level: 1, name: title })).toBeInTheDocument();
  expect(await screen.findByText(/This part is being built/)).toBeInTheDocument();
});

test("the cart cannot be used outside its provider", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  function Orphan() {
    useCart();
    return null;
  }

  expect(() => render(<Orphan />)).toThrow("useCart must be used within a CartProvider");
});

test("the header shows the last name's letter beside the first name, and both name the link", async () => {
  openAppAsMember("/calendar", aSession({ firstName: "Ada Grace", lastName: "Obi" }));

  const link = await screen.findByRole("link", { name: "Ada Grace, profile" });

  expect(link).toHaveTextContent("OAda Grace, profile");
  expect(link).not.toHaveAttribute("aria-label");
});
