import "@/components/promotion-dialog.css";
import { Crown, MapPin } from "lucide-react";
import { useEffect } from "react";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { ShareButton } from "@/components/share-button";
import { playFeedback } from "@/lib/device/feedback";
import type { Sharer } from "@/lib/device/sharing";
import { rankName, TOP_RANK } from "@/lib/format/names";

interface PromotionDialogProps {
  /** The rank reached. */
  badge: string;
  /** The ranks of the season, lowest first, without the top one. */
  ranks: readonly string[];
  /** Null until it is known who shares. */
  sharer: Sharer | null;
  onContinue: () => void;
}

/** A full-screen promotion: the new rank, and its place on the ladder. */
export function PromotionDialog({ badge, ranks, sharer, onContinue }: PromotionDialogProps) {
  const ladder = [...new Set([...ranks, TOP_RANK])].reverse();
  useEffect(() => playFeedback("promotion"), []);
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
            <ShareButton sharer={sharer} shared={{ kind: "promotion", badge }} wide />
            <Button variant="accent" wide data-first-focus onClick={onContinue}>
              Continue
            </Button>
          </div>
        </>
      }
    />
  );
}
