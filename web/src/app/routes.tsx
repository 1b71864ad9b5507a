import type { ComponentType } from "react";
import { type LazyScreen, lazyScreen } from "@/app/lazy-screen";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { Splash } from "@/components/splash";
import SignInPage from "@/pages/sign-in-page";

interface Screen {
  path: string;
  page: ComponentType;
}

interface ShellScreen extends Screen {
  page: LazyScreen;
  /** The page header's title and the tab's name. */
  title: string;
}

const inShell = (load: Parameters<typeof lazyScreen>[0]) => lazyScreen(load, <ScreenSkeleton />);

/** Screens for everybody; the first one comes with the entry, all others when they are opened. */
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

const comingPage = inShell(() => import("@/pages/coming-page"));

/** Screens of signed-in members, inside the shell (spec 2). */
export const shellScreens: ShellScreen[] = [
  { path: "/", title: "Dashboard", page: inShell(() => import("@/pages/dashboard-page")) },
  { path: "/wallet", title: "Wallet", page: inShell(() => import("@/pages/wallet-page")) },
  { path: "/products", title: "Products", page: inShell(() => import("@/pages/products-page")) },
  { path: "/product/:id", title: "Product", page: inShell(() => import("@/pages/product-page")) },
  { path: "/orders", title: "Orders", page: inShell(() => import("@/pages/orders-page")) },
  { path: "/checkout", title: "Checkout", page: inShell(() => import("@/pages/checkout-page")) },
  { path: "/shopping", title: "Shoppings", page: inShell(() => import("@/pages/shopping-page")) },
  { path: "/shopping/:id", title: "Order", page: inShell(() => import("@/pages/order-page")) },
  {
    path: "/profile",
    title: "Editing Profile",
    page: inShell(() => import("@/pages/profile-page")),
  },
  {
    path: "/subscriptions",
    title: "Subscription",
    page: inShell(() => import("@/pages/subscriptions-page")),
  },
  { path: "/posts", title: "Posts", page: inShell(() => import("@/pages/posts-page")) },
  { path: "/chats", title: "Chats", page: inShell(() => import("@/pages/chats-page")) },
  {
    path: "/trivia-questions",
    title: "Daily Quest Questions",
    page: inShell(() => import("@/pages/trivia-page")),
  },
  {
    path: "/battle-zone",
    title: "Battle Zone",
    page: inShell(() => import("@/pages/battle-page")),
  },
  {
    path: "/leaderboard",
    title: "Leader board",
    page: inShell(() => import("@/pages/leader-board-page")),
  },
  { path: "/points", title: "Points", page: inShell(() => import("@/pages/points-page")) },
  { path: "/badges", title: "Badges", page: inShell(() => import("@/pages/badges-page")) },
  { path: "/calendar", title: "Calendar", page: inShell(() => import("@/pages/calendar-page")) },
  {
    path: "/predictions",
    title: "Predictions",
    page: inShell(() => import("@/pages/predictions-page")),
  },
  { path: "/match/:id", title: "Match", page: inShell(() => import("@/pages/match-page")) },
  { path: "/news", title: "News", page: inShell(() => import("@/pages/news-page")) },
  { path: "/news/:slug", title: "News", page: inShell(() => import("@/pages/article-page")) },
  {
    path: "/notifications",
    title: "Notifications",
    page: inShell(() => import("@/pages/notifications-page")),
  },
  { path: "/settings", title: "Settings", page: inShell(() => import("@/pages/settings-page")) },
  { path: "/backups", title: "Backups", page: comingPage },
  { path: "/logs", title: "Logs", page: comingPage },
];
