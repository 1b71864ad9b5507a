import { FileText } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/button";
import { showFailure } from "@/lib/tell-failure";

interface ReceiptButtonProps {
  /** What it is the receipt of, for screen readers. */
  of: string;
  /** Asks for the address of the page. */
  findPage: () => Promise<string>;
}

/** Opens a receipt as a page to print, in a tab of its own. */
export function ReceiptButton({ of, findPage }: ReceiptButtonProps) {
  const [opening, setOpening] = useState(false);
  const open = async () => {
    // Opened at once, while it is the press that opens it: later browsers take it for an advert.
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
      look="quiet"
      icon={<FileText aria-hidden="true" />}
      busy={opening}
      aria-label={`Receipt: ${of}`}
      onClick={() => void open()}
    >
      Receipt
    </Button>
  );
}
