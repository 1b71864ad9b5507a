import "@/components/promotion-dialog.css";
import { Crown, MapPin, Share2 } from "lucide-react";
import { useEffect } from "react";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { giveFeedback } from "@/lib/feedback";
import { rankName, TOP_RANK } from "@/lib/names";

/** Shares a promotion to the rank of this name. */
export type SharePromotion = (badge: string) => void;

interface PromotionDialogProps {
  /** The rank that was reached. */
  badge: string;
  /** The ranks of the season, the lowest first, without the top one. */
  ranks: readonly string[];
  /** Without it there is nothing to share with. */
  onShare?: SharePromotion | undefined;
  onContinue: () => void;
}

/** A promotion over the whole screen: the new rank, and where it stands on the ladder. */
export function PromotionDialog({ badge, ranks, onShare, onContinue }: PromotionDialogProps) {
  const ladder = [...new Set([...ranks, TOP_RANK])].reverse();
  useEffect(() => giveFeedback("promotion"), []);
  return (
    <Modal
      header={`You are now ${rankName(badge)}`}
      classes="promotion-dialog"
      footer={false}
      onClose={onContinue}
      content={
        <>
          <span className="promotion-sign">
            <Crown aria-hidden="true" />
          </span>
          <ol className="promotion-ladder" aria-label="Rank ladder">
            {ladder.map((rank) => (
              <li
                key={rank}
                className={rank === badge ? "is-here" : undefined}
                aria-current={rank === badge ? "step" : undefined}
              >
                {rankName(rank)}
                {rank === badge ? (
                  <span>
                    <MapPin aria-hidden="true" />
                    You are here
                  </span>
                ) : null}
              </li>
            ))}
          </ol>
          <div className="promotion-actions">
            {onShare === undefined ? null : (
              <Button
                look="secondary"
                wide
                icon={<Share2 aria-hidden="true" />}
                onClick={() => onShare(badge)}
              >
                Share
              </Button>
            )}
            <Button look="accent" wide data-first-focus onClick={onContinue}>
              Continue
            </Button>
          </div>
        </>
      }
    />
  );
}
