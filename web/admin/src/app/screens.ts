import {
  Archive,
  CalendarClock,
  CircleHelp,
  Clapperboard,
  ClipboardCheck,
  Cog,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Newspaper,
  Package,
  ScrollText,
  Search,
  Shield,
  Shirt,
  SlidersHorizontal,
  Swords,
  Ticket,
  Trophy,
  Truck,
  Undo2,
  UserCog,
  Users,
  Wallet,
} from "lucide-react";
import { createElement } from "react";
import { type LazyScreen, lazyScreen } from "@/app/lazy-screen";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import type { Reading } from "~/api/calls";

export const MENU_GROUPS = ["Work", "People", "Shop", "Money", "Games", "System"] as const;

export interface Screen {
  path: string;
  /** The header's title and the tab's name. */
  title: string;
  /** The call it reads: without its right, the screen is neither listed nor found. */
  call: Reading;
  page: LazyScreen;
  /** Its place in the menu; a screen without one is opened from another screen. */
  menu?: {
    group: (typeof MENU_GROUPS)[number];
    icon: LucideIcon;
    /** The counts of Today that it covers. */
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
    path: "/search",
    title: "Search",
    call: "GET /api/v1/admin/today",
    page: open(() => import("~/areas/search/search-page")),
    menu: { group: "Work", icon: Search },
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
  {
    path: "/refunds",
    title: "Refunds",
    call: "GET /api/v1/admin/refunds",
    page: open(() => import("~/areas/refunds/refunds-page")),
    menu: { group: "Work", icon: Undo2, waiting: ["refunds"] },
  },
  {
    path: "/members",
    title: "Members",
    call: "GET /api/v1/admin/members",
    page: open(() => import("~/areas/members/members-page")),
    menu: { group: "People", icon: Users },
  },
  {
    path: "/members/:member",
    title: "Member",
    call: "GET /api/v1/admin/members/{user_id}",
    page: open(() => import("~/areas/members/member-page")),
  },
  {
    path: "/clubs",
    title: "Clubs",
    call: "GET /api/v1/admin/clubs",
    page: open(() => import("~/areas/clubs/clubs-page")),
    menu: { group: "People", icon: Shield },
  },
  {
    path: "/chat",
    title: "Chat",
    call: "GET /api/v1/admin/chat/reports",
    page: open(() => import("~/areas/chat/reports-page")),
    menu: { group: "People", icon: MessagesSquare, waiting: ["chatReports"] },
  },
  {
    path: "/chat/mutes",
    title: "Mutes",
    call: "GET /api/v1/admin/chat/mutes",
    page: open(() => import("~/areas/chat/mutes-page")),
  },
  {
    path: "/chat/bans",
    title: "Bans",
    call: "GET /api/v1/admin/chat/bans",
    page: open(() => import("~/areas/chat/bans-page")),
  },
  {
    path: "/moments",
    title: "Moments",
    call: "GET /api/v1/admin/moments",
    page: open(() => import("~/areas/moments/moments-page")),
    menu: { group: "People", icon: Clapperboard },
  },
  {
    path: "/products",
    title: "Products",
    call: "GET /api/v1/admin/products",
    page: open(() => import("~/areas/products/products-page")),
    menu: { group: "Shop", icon: Shirt },
  },
  {
    path: "/products/:product",
    title: "Product",
    call: "GET /api/v1/admin/products/{product_id}",
    page: open(() => import("~/areas/products/product-page")),
  },
  {
    path: "/delivery-fees",
    title: "Delivery fees",
    call: "GET /api/v1/admin/delivery-fees",
    page: open(() => import("~/areas/delivery-fees/delivery-fees-page")),
    menu: { group: "Shop", icon: Truck },
  },
  {
    path: "/plans",
    title: "Plans",
    call: "GET /api/v1/admin/plans",
    page: open(() => import("~/areas/plans/plans-page")),
    menu: { group: "Shop", icon: Ticket },
  },
  {
    path: "/money",
    title: "Money",
    call: "GET /api/v1/admin/fundings",
    page: open(() => import("~/areas/money/fundings-page")),
    menu: {
      group: "Money",
      icon: Wallet,
      waiting: ["reviewCases", "webhooks", "disputes", "debts", "bankLines", "bankTransfers"],
    },
  },
  {
    path: "/money/webhooks",
    title: "Webhooks",
    call: "GET /api/v1/admin/webhooks",
    page: open(() => import("~/areas/money/webhooks-page")),
  },
  {
    path: "/money/review-cases",
    title: "Review cases",
    call: "GET /api/v1/admin/review-cases",
    page: open(() => import("~/areas/money/review-cases-page")),
  },
  {
    path: "/money/disputes",
    title: "Disputes",
    call: "GET /api/v1/admin/disputes",
    page: open(() => import("~/areas/money/disputes-page")),
  },
  {
    path: "/money/debts",
    title: "Debts",
    call: "GET /api/v1/admin/debts",
    page: open(() => import("~/areas/money/debts-page")),
  },
  {
    path: "/money/bank",
    title: "Bank",
    call: "GET /api/v1/admin/bank-lines",
    page: open(() => import("~/areas/money/bank-page")),
  },
  {
    path: "/money/bank/missing",
    title: "Missing at the bank",
    call: "GET /api/v1/admin/bank-transfers",
    page: open(() => import("~/areas/money/missing-transfers-page")),
  },
  {
    path: "/money/proofs",
    title: "Ledger checks",
    call: "GET /api/v1/admin/proofs",
    page: open(() => import("~/areas/money/proofs-page")),
  },
  {
    path: "/news",
    title: "News",
    call: "GET /api/v1/admin/articles",
    page: open(() => import("~/areas/news/articles-page")),
    menu: { group: "Games", icon: Newspaper },
  },
  {
    path: "/news/:article",
    title: "Article",
    call: "GET /api/v1/admin/articles/{article_id}",
    page: open(() => import("~/areas/news/article-page")),
  },
  {
    path: "/questions",
    title: "Questions",
    call: "GET /api/v1/admin/questions",
    page: open(() => import("~/areas/questions/questions-page")),
    menu: { group: "Games", icon: CircleHelp, waiting: ["flaggedQuestions"] },
  },
  {
    path: "/questions/import",
    title: "Import questions",
    call: "GET /api/v1/admin/questions",
    page: open(() => import("~/areas/questions/import-page")),
  },
  {
    path: "/trivia",
    title: "Quest schedule",
    call: "GET /api/v1/admin/trivia/schedule/{day}/{club}",
    page: open(() => import("~/areas/trivia/schedule-page")),
    menu: { group: "Games", icon: CalendarClock },
  },
  {
    path: "/seasons",
    title: "Seasons",
    call: "GET /api/v1/admin/seasons",
    page: open(() => import("~/areas/seasons/seasons-page")),
    menu: { group: "Games", icon: Swords },
  },
  {
    path: "/fixtures",
    title: "Fixtures",
    call: "GET /api/v1/admin/fixtures",
    page: open(() => import("~/areas/fixtures/fixtures-page")),
    menu: { group: "Games", icon: Trophy },
  },
  {
    path: "/fixtures/competitions",
    title: "Competitions",
    call: "GET /api/v1/admin/competitions",
    page: open(() => import("~/areas/fixtures/competitions-page")),
  },
  {
    path: "/mails",
    title: "Emails",
    call: "GET /api/v1/admin/mails",
    page: open(() => import("~/areas/mails/mails-page")),
    menu: { group: "System", icon: Mail, waiting: ["deadMails"] },
  },
  {
    path: "/jobs",
    title: "Jobs",
    call: "GET /api/v1/admin/jobs",
    page: open(() => import("~/areas/jobs/jobs-page")),
    menu: { group: "System", icon: Cog },
  },
  {
    path: "/backups",
    title: "Backups",
    call: "GET /api/v1/admin/backups",
    page: open(() => import("~/areas/backups/backups-page")),
    menu: { group: "System", icon: Archive },
  },
  {
    path: "/logs",
    title: "Audit",
    call: "GET /api/v1/admin/audit",
    page: open(() => import("~/areas/audit/audit-page")),
    menu: { group: "System", icon: ScrollText },
  },
  {
    path: "/operators",
    title: "Operators",
    call: "GET /api/v1/admin/operators",
    page: open(() => import("~/areas/operators/operators-page")),
    menu: { group: "System", icon: UserCog },
  },
  {
    path: "/settings",
    title: "Settings",
    call: "GET /api/v1/admin/settings",
    page: open(() => import("~/areas/settings/settings-page")),
    menu: { group: "System", icon: SlidersHorizontal },
  },
];
