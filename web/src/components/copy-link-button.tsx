import { Check, Copy } from "lucide-react";
import { Button, type ButtonVariant } from "@/components/button";
import { useCopy } from "@/lib/device/use-copy";
import { showToast } from "@/lib/ui/toasts";

const NOT_COPIED = "Your browser does not allow copying. Select the link to copy it.";

interface CopyLinkButtonProps {
  link: string;
  variant?: ButtonVariant;
}

/** Copies a link and confirms it for two seconds; a failure is shown. */
export function CopyLinkButton({ link, variant = "secondary" }: CopyLinkButtonProps) {
  const { copied, copy } = useCopy(link);
  const press = async () => {
    if (!(await copy())) {
      showToast("error", NOT_COPIED);
    }
  };
  return (
    <>
      <Button
        variant={variant}
        icon={copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        onClick={() => void press()}
      >
        {copied ? "Link copied" : "Copy link"}
      </Button>
      <span className="visually-hidden" role="status">
        {copied ? "Link copied" : ""}
      </span>
    </>
  );
}
