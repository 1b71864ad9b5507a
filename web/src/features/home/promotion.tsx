import { useQuery } from "@tanstack/react-query";
import { ranksQuery } from "@/api/ranks";
import { useSharer } from "@/api/use-sharer";
import { PromotionDialog } from "@/components/promotion-dialog";

interface PromotionProps {
  badge: string;
  onContinue: () => void;
}

/** A promotion on Home, once its ladder is loaded; without one, the rank alone. */
export default function Promotion(props: PromotionProps) {
  const ranks = useQuery(ranksQuery);
  const sharer = useSharer();
  const rungs = ranks.data?.map(({ rank }) => rank) ?? (ranks.isError ? [props.badge] : null);
  return rungs === null ? null : <PromotionDialog ranks={rungs} sharer={sharer} {...props} />;
}
