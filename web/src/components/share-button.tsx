import { Share2 } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, type ButtonVariant } from "@/components/button";
import { ShareDialog } from "@/components/share-dialog";
import { sendFile } from "@/lib/device/send-file";
import { messageWith, type Shared, type Sharer, spokenCard } from "@/lib/device/sharing";
import { showToast } from "@/lib/ui/toasts";

const NO_PICTURE = "The picture could not be made. Please try again.";

const cardScript = () => import("@/lib/device/share-card");

interface ShareButtonProps {
  /** Null until it is known who shares. */
  sharer: Sharer | null;
  shared: Shared;
  variant?: ButtonVariant;
  wide?: boolean;
  /** The card's subject, for screens with several buttons. */
  of?: string;
}

/** Shares a card with the phone's own sheet, or else in a dialog. */
export function ShareButton({ sharer, shared, variant = "secondary", wide, of }: ShareButtonProps) {
  const [picture, setPicture] = useState<File | null>(null);
  const [isBusy, setBusy] = useState(false);
  usePrepared(sharer, shared);
  const share = async (by: Sharer) => {
    setBusy(true);
    try {
      const card = await (await cardScript()).drawCard(by, shared);
      if (card === null) {
        showToast("error", NO_PICTURE);
      } else if ((await sendFile(card, messageWith(shared, by))) === "no-way") {
        setPicture(card);
      }
    } catch {
      showToast("error", NO_PICTURE);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        variant={variant}
        wide={wide ?? false}
        icon={<Share2 aria-hidden="true" />}
        aria-label={of === undefined ? undefined : `Share ${of}`}
        disabled={sharer === null}
        busy={isBusy}
        onClick={() => (sharer === null ? undefined : void share(sharer))}
      >
        Share
      </Button>
      {picture === null || sharer === null ? null : (
        <ShareDialog
          picture={picture}
          alt={`Card of ${sharer.name}, ${sharer.clubName}. ${spokenCard(shared)}`}
          link={sharer.link}
          onClose={() => setPicture(null)}
        />
      )}
    </>
  );
}

/** Prefetch the drawing code and the fonts: a press then needs no request. */
function usePrepared(sharer: Sharer | null, shared: Shared): void {
  const words = sharer === null ? null : JSON.stringify([sharer, shared]);
  useEffect(() => {
    if (words !== null) {
      const [by, what]: [Sharer, Shared] = JSON.parse(words);
      cardScript()
        .then(({ prepareFonts }) => prepareFonts(by, what))
        .catch(() => undefined); // pressing it tries again
    }
  }, [words]);
}
