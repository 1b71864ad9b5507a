import type { Plan, PlanPeriod, PlanStanding } from "@/api/wire";
import type { BadgeTone } from "@/components/status-badge";
import { counted } from "@/lib/counts";

const STATES: Record<PlanPeriod["state"], { text: string; tone: BadgeTone }> = {
  active: { text: "Active", tone: "success" },
  grace: { text: "Waiting for payment", tone: "error" },
  ended: { text: "Ended", tone: "neutral" },
  replaced: { text: "Replaced", tone: "neutral" },
};
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

/** What became of a period; of a newer server it is the word itself. */
export function periodState(state: PlanPeriod["state"]): { text: string; tone: BadgeTone } {
  return STATES[state] ?? { text: state, tone: "neutral" };
}

/** What the switch of a plan's renewal does, as things are. */
export function renewalNote({ state, nextAmount }: PlanStanding): string {
  if (nextAmount === null) {
    return "This plan is not on offer any more. It ends with its period.";
  }
  return state === "grace"
    ? "Switched off, your plan ends now."
    : "Paid from your wallet when the period is over. You can switch it off at any time.";
}
