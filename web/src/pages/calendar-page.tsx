import { Matchday } from "@/features/matchday/matchday";

export default function CalendarPage() {
  return <Matchday />;
}
