import type { Plan, PlanPeriod, PlanState } from "@/api/wire";
import type { BadgeTone } from "@/components/status-badge";
import { counted } from "@/lib/format/counts";

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

/** A plan's duration, as on cards: `1 month`, `3 months`. */
export function durationText({ duration, period }: Plan): string {
  return counted(duration, period);
}

/** The unit of a plan's duration, as in the details: `Monthly`. */
export function periodText({ period }: Plan): string {
  return ADVERBS[period] ?? period;
}

/** The separate benefits (spec 2: comma-separated). */
export function benefitsOf({ benefits }: Plan): string[] {
  return benefits
    .split(",")
    .map((benefit) => benefit.trim())
    .filter(Boolean);
}

/** The outcome of a period; of a newer server, the word itself. */
export function periodState(state: PlanPeriod["state"]): { text: string; tone: BadgeTone } {
  return STATES[state] ?? { text: state, tone: "neutral" };
}

/** The current effect of the renewal switch. */
export function renewalNote({ state, nextAmount }: PlanState): string {
  if (nextAmount === null) {
    return "This plan is no longer offered. It ends with its period.";
  }
  return state === "grace"
    ? "Switched off, your plan ends now."
    : "Paid from your wallet when the period is over. You can switch it off at any time.";
}
