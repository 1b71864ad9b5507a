import { ClipboardCheck, LayoutDashboard, type LucideIcon, Package } from "lucide-react";
import { createElement } from "react";
import { type LazyScreen, lazyScreen } from "@/app/lazy-screen";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import type { Reading } from "~/api/calls";

export const MENU_GROUPS = ["Work", "People", "Shop", "Money", "Games", "System"] as const;

export interface Screen {
  path: string;
  /** The header's title and the tab's name. */
  title: string;
  /** What it reads: who may not, does not see it and finds nothing there. */
  call: Reading;
  page: LazyScreen;
  /** Where it stands in the menu; a screen without it is opened from another. */
  menu?: {
    group: (typeof MENU_GROUPS)[number];
    icon: LucideIcon;
    /** Which of the counts of today it answers. */
    waiting?: readonly string[];
  };
}

const open = (load: Parameters<typeof lazyScreen>[0]) =>
  lazyScreen(load, createElement(ScreenSkeleton));

/** Every screen of the back office; the menu and the routes are made from this table. */
export const screens: Screen[] = [
  {
    path: "/",
    title: "Today",
    call: "GET /api/v1/admin/today",
    page: open(() => import("~/areas/today/today-page")),
    menu: { group: "Work", icon: LayoutDashboard },
  },
  {
    path: "/orders",
    title: "Orders",
    call: "GET /api/v1/admin/orders",
    page: open(() => import("~/areas/orders/orders-page")),
    menu: { group: "Work", icon: Package, waiting: ["transferProofs"] },
  },
  {
    path: "/orders/:order",
    title: "Order",
    call: "GET /api/v1/admin/orders/{order}",
    page: open(() => import("~/areas/orders/order-page")),
  },
  {
    path: "/approvals",
    title: "Approvals",
    call: "GET /api/v1/admin/approvals",
    page: open(() => import("~/areas/approvals/approvals-page")),
    menu: { group: "Work", icon: ClipboardCheck, waiting: ["approvals"] },
  },
];
