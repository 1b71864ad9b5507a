import { Archive, CalendarDays, type LucideIcon, ScrollText } from "lucide-react";
import { paths } from "@/lib/format/paths";

interface ComingScreen {
  icon: LucideIcon;
  /** The screen's own line. */
  line: string;
  /** What members will do there. */
  plans: string[];
}

/** The screens that are not open yet, and what each will offer. */
export const comingScreens: Record<string, ComingScreen> = {
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
