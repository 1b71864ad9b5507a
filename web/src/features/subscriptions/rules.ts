import type { Plan } from "@/api/wire";
import { counted } from "@/lib/counts";

const ADVERBS: Record<Plan["period"], string> = {
  day: "Daily",
  week: "Weekly",
  month: "Monthly",
  year: "Yearly",
};

/** How long a plan runs, as cards say it: `1 month`, `3 months`. */
export function durationText({ duration, period }: Plan): string {
  return counted(duration, period);
}

/** The unit of a plan's time as the details say it: `Monthly`. */
export function periodText({ period }: Plan): string {
  return ADVERBS[period] ?? period;
}

/** The benefits, one by one (spec 2: comma-separated). */
export function benefitsOf({ benefits }: Plan): string[] {
  return benefits
    .split(",")
    .map((benefit) => benefit.trim())
    .filter(Boolean);
}
