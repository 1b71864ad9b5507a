import type { ComponentType } from "react";
import { matchPath } from "react-router-dom";
import { type LazyScreen, lazyScreen } from "@/app/lazy-screen";
import { type Block, ScreenSkeleton } from "@/components/screen-skeleton";
import { Splash } from "@/components/splash";
import SignInScreen from "@/features/auth/sign-in-screen";

interface Screen {
  path: string;
  page: ComponentType & Partial<Pick<LazyScreen, "preload">>;
}

interface ShellScreen extends Screen {
  page: LazyScreen;
  /** The page header's title and the tab's name. */
  title: string;
  /** Its questions have a clock or are final: the status area has a place of its own. */
  isTimed?: boolean;
}

/**
 * A screen of the shell, and the layout of its first view on a phone of 360 pixels for a member who
 * has joined and ordered once (e2e/opening.spec.ts measures it).
 */
const inShell = (load: Parameters<typeof lazyScreen>[0], blocks: readonly Block[]) =>
  lazyScreen(load, <ScreenSkeleton blocks={blocks} />);

/** Public screens; the first one is in the entry, all others load when they are opened. */
export const publicScreens: Screen[] = [
  { path: "/signin", page: SignInScreen },
  { path: "/signup", page: lazyScreen(() => import("@/app/screens/sign-up-screen"), <Splash />) },
  {
    path: "/activate-account/:id",
    page: lazyScreen(() => import("@/features/auth/activation-screen"), <Splash />),
  },
  {
    path: "/forgot-password",
    page: lazyScreen(() => import("@/features/auth/forgot-password-screen"), <Splash />),
  },
  {
    path: "/reset-password",
    page: lazyScreen(() => import("@/features/auth/reset-password-screen"), <Splash />),
  },
];

const comingScreen = inShell(() => import("@/features/home/coming-screen"), [495]);

/** Screens of signed-in members, inside the shell (spec 2). */
export const shellScreens: ShellScreen[] = [
  {
    path: "/",
    title: "Dashboard",
    page: inShell(() => import("@/app/screens/dashboard-screen"), [[-8, 524], 278]),
  },
  {
    path: "/wallet",
    title: "Wallet",
    page: inShell(() => import("@/features/wallet/wallet-screen"), [231, [20, 359], [20, 300]]),
  },
  {
    path: "/products",
    title: "Products",
    page: inShell(() => import("@/features/shop/products-screen"), [333, [36, 28], 108, 21, 300]),
  },
  {
    path: "/product/:id",
    title: "Product",
    page: inShell(() => import("@/features/shop/product-screen"), [44, 262, 338]),
  },
  {
    path: "/orders",
    title: "Orders",
    page: inShell(() => import("@/features/shop/cart-screen"), [44, 329]),
  },
  {
    path: "/checkout",
    title: "Checkout",
    page: inShell(() => import("@/app/screens/checkout-screen"), [269]),
  },
  {
    path: "/shopping",
    title: "Shoppings",
    page: inShell(() => import("@/features/shop/purchases-screen"), [48, [20, 600]]),
  },
  {
    path: "/shopping/:id",
    title: "Order",
    page: inShell(() => import("@/features/shop/order-screen"), [44, 65, 500]),
  },
  {
    path: "/profile",
    title: "Editing Profile",
    page: inShell(() => import("@/features/profile/profile-screen"), [24, 603]),
  },
  {
    path: "/subscriptions",
    title: "Subscription",
    page: inShell(() => import("@/app/screens/subscriptions-screen"), [48, 162, 322, 389]),
  },
  {
    path: "/posts",
    title: "Posts",
    page: inShell(() => import("@/features/moments/moments-screen"), [264, [36, 61], [36, 329]]),
  },
  {
    path: "/chats",
    title: "Chats",
    page: inShell(
      () => import("@/features/chat/chats-screen"),
      [
        [-20, 36],
        [0, 573],
      ],
    ),
  },
  {
    path: "/trivia-questions",
    title: "Daily Quest Questions",
    isTimed: true,
    page: inShell(() => import("@/features/trivia/trivia-screen"), [528]),
  },
  {
    path: "/battle-zone",
    title: "Battle Zone",
    isTimed: true,
    page: inShell(() => import("@/features/battle/battle-screen"), [499]),
  },
  {
    path: "/leaderboard",
    title: "Leader board",
    page: inShell(() => import("@/features/ranking/leader-board-screen"), [114, 765]),
  },
  {
    path: "/points",
    title: "Points",
    page: inShell(() => import("@/app/screens/points-screen"), [609, [20, 291]]),
  },
  {
    path: "/badges",
    title: "Badges",
    page: inShell(() => import("@/features/badges/badges-screen"), [229, 600]),
  },
  {
    path: "/calendar",
    title: "Matches",
    page: inShell(() => import("@/features/matchday/calendar-screen"), [56, 52, 135, 135, 135]),
  },
  {
    path: "/predictions",
    title: "Predictions",
    page: inShell(() => import("@/features/matchday/predictions-screen"), [52, 42, 24, 600]),
  },
  {
    path: "/match/:id",
    title: "Match",
    page: inShell(() => import("@/features/matchday/match-screen"), [311, 162, 48, 329]),
  },
  {
    path: "/news",
    title: "News",
    page: inShell(() => import("@/app/screens/news-screen"), [517, [28, 416]]),
  },
  {
    path: "/news/:slug",
    title: "News",
    page: inShell(() => import("@/features/news/article-screen"), [44, 600]),
  },
  {
    path: "/notifications",
    title: "Notifications",
    page: inShell(() => import("@/features/notifications/notifications-screen"), [650]),
  },
  {
    path: "/settings",
    title: "Settings",
    page: inShell(() => import("@/app/screens/settings-screen"), [186, 600]),
  },
  { path: "/backups", title: "Backups", page: comingScreen },
  { path: "/logs", title: "Logs", page: comingScreen },
];

/** The screen of the shell at an address. */
export function shellScreenAt(pathname: string): ShellScreen | undefined {
  return shellScreens.find(({ path }) => matchPath(path, pathname) !== null);
}
