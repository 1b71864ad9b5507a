import "@/components/copy-button.css";
import { Check, Copy } from "lucide-react";
import { useCopy } from "@/lib/device/use-copy";

interface CopyButtonProps {
  /** The text to copy. */
  text: string;
  /** Its name, such as "account number". */
  label: string;
}

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { copied, copy } = useCopy(text);
  return (
    <button
      type="button"
      className="copy-button"
      aria-label={copied ? `Copied ${label}` : `Copy ${label}`}
      onClick={() => void copy()}
    >
      {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-hidden="true">{copied ? "Copied" : "Copy"}</span>
    </button>
  );
}
