import type { ComponentType } from "react";
import { matchPath } from "react-router-dom";
import { type LazyScreen, lazyScreen } from "@/app/lazy-screen";
import { type Block, ScreenSkeleton } from "@/components/screen-skeleton";
import { Splash } from "@/components/splash";
import SignInPage from "@/pages/sign-in-page";

interface Screen {
  path: string;
  page: ComponentType & Partial<Pick<LazyScreen, "preload">>;
}

interface ShellScreen extends Screen {
  page: LazyScreen;
  /** The page header's title and the tab's name. */
  title: string;
}

/**
 * A screen of the shell, and the layout of its first view on a phone of 360 pixels for a member who
 * has joined and ordered once (e2e/opening.spec.ts measures it).
 */
const inShell = (load: Parameters<typeof lazyScreen>[0], blocks: readonly Block[]) =>
  lazyScreen(load, <ScreenSkeleton blocks={blocks} />);

/** Public screens; the first one is in the entry, all others load when they are opened. */
export const publicScreens: Screen[] = [
  { path: "/signin", page: SignInPage },
  { path: "/signup", page: lazyScreen(() => import("@/app/sign-up-screen"), <Splash />) },
  {
    path: "/activate-account/:id",
    page: lazyScreen(() => import("@/pages/activation-page"), <Splash />),
  },
  {
    path: "/forgot-password",
    page: lazyScreen(() => import("@/pages/forgot-password-page"), <Splash />),
  },
  {
    path: "/reset-password",
    page: lazyScreen(() => import("@/pages/reset-password-page"), <Splash />),
  },
];

const comingPage = inShell(() => import("@/pages/coming-page"), [495]);

/** Screens of signed-in members, inside the shell (spec 2). */
export const shellScreens: ShellScreen[] = [
  {
    path: "/",
    title: "Dashboard",
    page: inShell(() => import("@/pages/dashboard-page"), [[-8, 524], 278]),
  },
  {
    path: "/wallet",
    title: "Wallet",
    page: inShell(() => import("@/pages/wallet-page"), [231, [20, 359], [20, 300]]),
  },
  {
    path: "/products",
    title: "Products",
    page: inShell(() => import("@/pages/products-page"), [333, [36, 28], 108, 21, 300]),
  },
  {
    path: "/product/:id",
    title: "Product",
    page: inShell(() => import("@/pages/product-page"), [44, 262, 338]),
  },
  {
    path: "/orders",
    title: "Orders",
    page: inShell(() => import("@/pages/orders-page"), [44, 269]),
  },
  {
    path: "/checkout",
    title: "Checkout",
    page: inShell(() => import("@/pages/checkout-page"), [269]),
  },
  {
    path: "/shopping",
    title: "Shoppings",
    page: inShell(() => import("@/pages/shopping-page"), [48, [20, 600]]),
  },
  {
    path: "/shopping/:id",
    title: "Order",
    page: inShell(() => import("@/pages/order-page"), [44, 65, 500]),
  },
  {
    path: "/profile",
    title: "Editing Profile",
    page: inShell(() => import("@/pages/profile-page"), [24, 603]),
  },
  {
    path: "/subscriptions",
    title: "Subscription",
    page: inShell(() => import("@/pages/subscriptions-page"), [48, 48, 383, 322]),
  },
  {
    path: "/posts",
    title: "Posts",
    page: inShell(() => import("@/pages/posts-page"), [264, [36, 61], [36, 329]]),
  },
  {
    path: "/chats",
    title: "Chats",
    page: inShell(
      () => import("@/pages/chats-page"),
      [
        [-20, 33],
        [0, 576],
      ],
    ),
  },
  {
    path: "/trivia-questions",
    title: "Daily Quest Questions",
    page: inShell(() => import("@/pages/trivia-page"), [528]),
  },
  {
    path: "/battle-zone",
    title: "Battle Zone",
    page: inShell(() => import("@/pages/battle-page"), [449]),
  },
  {
    path: "/leaderboard",
    title: "Leader board",
    page: inShell(() => import("@/pages/leader-board-page"), [114, 765]),
  },
  {
    path: "/points",
    title: "Points",
    page: inShell(() => import("@/pages/points-page"), [559, [20, 291]]),
  },
  {
    path: "/badges",
    title: "Badges",
    page: inShell(() => import("@/pages/badges-page"), [229, 600]),
  },
  {
    path: "/calendar",
    title: "Calendar",
    page: inShell(() => import("@/pages/calendar-page"), [56, 52, 135, 135, 135]),
  },
  {
    path: "/predictions",
    title: "Predictions",
    page: inShell(() => import("@/pages/predictions-page"), [52, 42, 24, 600]),
  },
  {
    path: "/match/:id",
    title: "Match",
    page: inShell(() => import("@/pages/match-page"), [283, 76, 48]),
  },
  {
    path: "/news",
    title: "News",
    page: inShell(() => import("@/pages/news-page"), [517, [28, 416]]),
  },
  {
    path: "/news/:slug",
    title: "News",
    page: inShell(() => import("@/pages/article-page"), [44, 490]),
  },
  {
    path: "/notifications",
    title: "Notifications",
    page: inShell(() => import("@/pages/notifications-page"), [650]),
  },
  {
    path: "/settings",
    title: "Settings",
    page: inShell(() => import("@/pages/settings-page"), [186, 600]),
  },
  { path: "/backups", title: "Backups", page: comingPage },
  { path: "/logs", title: "Logs", page: comingPage },
];

/** The screen of the shell at an address. */
export function shellScreenAt(pathname: string): ShellScreen | undefined {
  return shellScreens.find(({ path }) => matchPath(path, pathname) !== null);
}
