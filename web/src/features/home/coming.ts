import {
  Archive,
  CalendarDays,
  type LucideIcon,
  MessageCircle,
  ScrollText,
  Settings,
  User,
} from "lucide-react";
import { paths } from "@/lib/paths";

interface ComingScreen {
  icon: LucideIcon;
  /** The screen's own line. */
  line: string;
  /** What members will do there. */
  plans: string[];
}

/** The screens that are not open yet, and what each is going to hold. */
export const comingScreens: Record<string, ComingScreen> = {
  [paths.profile]: {
    icon: User,
    line: "Update your Kyc for recognition.",
    plans: [
      "Personal information and your picture",
      "Next of kin",
      "The bank account you are paid to",
    ],
  },
  [paths.chats]: {
    icon: MessageCircle,
    line: "Communicate with your club and also with others",
    plans: ["A room for your club only", "A public room for everybody", "See who is online"],
  },
  [paths.calendar]: {
    icon: CalendarDays,
    line: "Fixtures and battle days in one place.",
    plans: ["Match days of your club", "When battles and ranks open"],
  },
  [paths.settings]: {
    icon: Settings,
    line: "Your account and how the app behaves.",
    plans: ["Emails and phone numbers", "Language, time zone and club of choice"],
  },
  [paths.backups]: {
    icon: Archive,
    line: "For the people who run King of Fans.",
    plans: ["When the last backup was taken"],
  },
  [paths.logs]: {
    icon: ScrollText,
    line: "For the people who run King of Fans.",
    plans: ["What happened on the server"],
  },
};
