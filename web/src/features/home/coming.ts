import { Archive, CalendarDays, type LucideIcon, MessageCircle, ScrollText } from "lucide-react";
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
