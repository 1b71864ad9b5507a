import "@/components/status-badge.css";
import { CircleAlert, CircleCheck, CircleMinus, Info } from "lucide-react";

export type BadgeTone = "success" | "error" | "neutral" | "info";

const ICONS: Record<BadgeTone, typeof Info> = {
  success: CircleCheck,
  error: CircleAlert,
  neutral: CircleMinus,
  info: Info,
};

/** A state in a word, with an icon, so that colour is never the only sign. */
export function StatusBadge({ tone, text }: { tone: BadgeTone; text: string }) {
  const Icon = ICONS[tone];
  return (
    <span className={`badge badge-${tone}`}>
      <Icon aria-hidden="true" />
      {text}
    </span>
  );
}
