import {
  CalendarDays,
  CreditCard,
  Film,
  House,
  type LucideIcon,
  MessageCircle,
  Newspaper,
  Package,
  Settings,
  ShoppingBag,
  ShoppingCart,
  Swords,
  Target,
  Trophy,
  User,
  Wallet,
} from "lucide-react";
import { paths } from "@/lib/format/paths";

interface MenuItem {
  title: string;
  path: string;
  icon: LucideIcon;
}

export interface MenuGroup {
  title: string;
  items: MenuItem[];
}

/** The side menu's groups (spec 2), and the match day's links. */
export const menuGroups: MenuGroup[] = [
  {
    title: "Main",
    items: [
      { title: "Dashboard", path: paths.home, icon: House },
      { title: "Profile", path: paths.profile, icon: User },
      { title: "Wallet", path: paths.wallet, icon: Wallet },
    ],
  },
  {
    title: "General",
    items: [
      { title: "Battle Zone", path: paths.battleZone, icon: Swords },
      { title: "Subscription", path: paths.subscriptions, icon: CreditCard },
      { title: "Chats", path: paths.chats, icon: MessageCircle },
      { title: "Posts", path: paths.posts, icon: Film },
    ],
  },
  {
    title: "Matchday",
    items: [
      { title: "Matches", path: paths.calendar, icon: CalendarDays },
      { title: "Predictions", path: paths.predictions, icon: Target },
      { title: "News", path: paths.news, icon: Newspaper },
      { title: "Leader board", path: paths.leaderBoard, icon: Trophy },
    ],
  },
  {
    title: "Ecommerce",
    items: [
      { title: "Products", path: paths.products, icon: ShoppingBag },
      { title: "Orders", path: paths.orders, icon: ShoppingCart },
      { title: "Shopping", path: paths.shopping, icon: Package },
    ],
  },
];

/** The last group, which stays in view; it ends with Logout, a button. */
export const accessGroup: MenuGroup = {
  title: "Access",
  items: [{ title: "Settings", path: paths.settings, icon: Settings }],
};

/** The five links of the phone's bottom bar. */
export const bottomItems: MenuItem[] = [
  { title: "Home", path: paths.home, icon: House },
  { title: "Matches", path: paths.calendar, icon: CalendarDays },
  { title: "Battle", path: paths.battleZone, icon: Swords },
  { title: "Chats", path: paths.chats, icon: MessageCircle },
  { title: "Shop", path: paths.products, icon: ShoppingBag },
];
