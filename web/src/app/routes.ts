import { type ComponentType, lazy } from "react";
import SignInPage from "@/pages/sign-in-page";

interface Screen {
  path: string;
  page: ComponentType;
}

interface ShellScreen extends Screen {
  /** The page header's title and the tab's name. */
  title: string;
}

/** Screens for everybody; the first one comes with the entry, all others when they are opened. */
export const publicScreens: Screen[] = [
  { path: "/signin", page: SignInPage },
  { path: "/signup", page: lazy(() => import("@/pages/sign-up-page")) },
  { path: "/activate-account/:id", page: lazy(() => import("@/pages/activation-page")) },
  { path: "/forgot-password", page: lazy(() => import("@/pages/forgot-password-page")) },
  { path: "/reset-password", page: lazy(() => import("@/pages/reset-password-page")) },
];

const comingPage = lazy(() => import("@/pages/coming-page"));

/** Screens of signed-in members, inside the shell (spec 2). */
export const shellScreens: ShellScreen[] = [
  { path: "/", title: "Dashboard", page: lazy(() => import("@/pages/dashboard-page")) },
  { path: "/wallet", title: "Wallet", page: lazy(() => import("@/pages/wallet-page")) },
  { path: "/products", title: "Products", page: lazy(() => import("@/pages/products-page")) },
  { path: "/product/:id", title: "Product", page: lazy(() => import("@/pages/product-page")) },
  { path: "/orders", title: "Orders", page: lazy(() => import("@/pages/orders-page")) },
  { path: "/checkout", title: "Checkout", page: lazy(() => import("@/pages/checkout-page")) },
  { path: "/shopping", title: "Shoppings", page: lazy(() => import("@/pages/shopping-page")) },
  {
    path: "/profile",
    title: "Editing Profile",
    page: lazy(() => import("@/pages/profile-page")),
  },
  {
    path: "/subscriptions",
    title: "Subscription",
    page: lazy(() => import("@/pages/subscriptions-page")),
  },
  { path: "/posts", title: "Posts", page: lazy(() => import("@/pages/posts-page")) },
  { path: "/chats", title: "Chats", page: lazy(() => import("@/pages/chats-page")) },
  {
    path: "/trivia-questions",
    title: "Daily Quest Questions",
    page: lazy(() => import("@/pages/trivia-page")),
  },
  { path: "/battle-zone", title: "Battle Zone", page: lazy(() => import("@/pages/battle-page")) },
  {
    path: "/leaderboard",
    title: "Leader board",
    page: lazy(() => import("@/pages/leader-board-page")),
  },
  { path: "/points", title: "Points", page: lazy(() => import("@/pages/points-page")) },
  { path: "/calendar", title: "Calendar", page: comingPage },
  { path: "/news", title: "News", page: lazy(() => import("@/pages/news-page")) },
  { path: "/settings", title: "Settings", page: lazy(() => import("@/pages/settings-page")) },
  { path: "/backups", title: "Backups", page: comingPage },
  { path: "/logs", title: "Logs", page: comingPage },
];
