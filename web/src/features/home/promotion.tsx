import { useQuery } from "@tanstack/react-query";
import { ranksQuery } from "@/api/ranks";
import { useSharer } from "@/api/use-sharer";
import { PromotionDialog } from "@/components/promotion-dialog";

interface PromotionProps {
  badge: string;
  onContinue: () => void;
}

/** A promotion on Home, as soon as its ladder is known; without one, the rank alone. */
export default function Promotion(props: PromotionProps) {
  const ranks = useQuery(ranksQuery);
  const sharer = useSharer();
  const rungs = ranks.data?.map(({ rank }) => rank) ?? (ranks.isError ? [props.badge] : null);
  return rungs === null ? null : <PromotionDialog ranks={rungs} sharer={sharer} {...props} />;
}
