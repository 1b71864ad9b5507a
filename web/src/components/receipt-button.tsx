import { FileText } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/button";
import { showFailure } from "@/lib/ui/show-failure";

interface ReceiptButtonProps {
  /** The receipt's subject, for screen readers. */
  of: string;
  /** Fetches the page's address. */
  findPage: () => Promise<string>;
}

/** Opens a printable receipt in a new tab. */
export function ReceiptButton({ of, findPage }: ReceiptButtonProps) {
  const [opening, setOpening] = useState(false);
  const open = async () => {
    // Opened at once, within the click: browsers block it later as a pop-up.
    const tab = window.open("", "_blank");
    setOpening(true);
    try {
      const page = await findPage();
      (tab ?? window).location.assign(page);
    } catch (error) {
      tab?.close();
      showFailure(error);
    } finally {
      setOpening(false);
    }
  };
  return (
    <Button
      variant="quiet"
      icon={<FileText aria-hidden="true" />}
      busy={opening}
      aria-label={`Receipt: ${of}`}
      onClick={() => void open()}
    >
      Receipt
    </Button>
  );
}
