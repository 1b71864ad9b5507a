import {
  ArrowLeftRight,
  CalendarDays,
  ClipboardList,
  type LucideIcon,
  Megaphone,
  Mic,
  Swords,
} from "lucide-react";

interface Section {
  icon: LucideIcon;
  title: string;
  /** Its planned content. */
  text: string;
}

/** The sections that the news desk will fill; they are empty so far. */
export const sections: Section[] = [
  {
    icon: ClipboardList,
    title: "Match reports",
    text: "How it went, minute by minute, and who decided it.",
  },
  {
    icon: ArrowLeftRight,
    title: "Transfers",
    text: "Who comes, who goes, and what the club says about it.",
  },
  {
    icon: Mic,
    title: "Interviews",
    text: "Players and coaches in their own words.",
  },
  {
    icon: CalendarDays,
    title: "Fixtures",
    text: "When and where your club plays next.",
  },
  {
    icon: Megaphone,
    title: "From the terrace",
    text: "Songs, trips and stories of supporters.",
  },
  {
    icon: Swords,
    title: "Battle Zone",
    text: "Who rose this week, and what the season still holds.",
  },
];
