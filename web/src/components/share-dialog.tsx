import "@/components/share-dialog.css";
import { Download } from "lucide-react";
import { Button } from "@/components/button";
import { CopyLinkButton } from "@/components/copy-link-button";
import { Modal } from "@/components/modal";
import { saveAsFile } from "@/lib/device/save-as-file";
import { useObjectUrl } from "@/lib/ui/use-object-url";

interface ShareDialogProps {
  picture: File;
  /** The picture's alternative text. */
  alt: string;
  link: string;
  onClose: () => void;
}

/** A card to view and save, with the invite to copy: for browsers that cannot share files. */
export function ShareDialog({ picture, alt, link, onClose }: ShareDialogProps) {
  const address = useObjectUrl(picture);
  return (
    <Modal
      header="Share"
      classes="share-dialog"
      footer={false}
      onClose={onClose}
      content={
        <>
          <img
            className="share-picture"
            src={address ?? undefined}
            alt={alt}
            width={1080}
            height={1350}
          />
          <p className="share-link small">{link}</p>
          <div className="share-actions">
            <Button
              data-first-focus
              icon={<Download aria-hidden="true" />}
              onClick={() => saveAsFile(picture, picture.name)}
            >
              Save picture
            </Button>
            <CopyLinkButton link={link} />
          </div>
        </>
      }
    />
  );
}
