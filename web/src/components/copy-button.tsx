import "@/components/copy-button.css";
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";

const SAY_COPIED_MS = 2000;

interface CopyButtonProps {
  /** What is copied. */
  text: string;
  /** What it is, such as "account number". */
  label: string;
}

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) {
      return;
    }
    const timer = setTimeout(() => setCopied(false), SAY_COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button
      type="button"
      className="copy-button"
      aria-label={copied ? `Copied ${label}` : `Copy ${label}`}
      onClick={() => void copy().catch(() => setCopied(false))}
    >
      {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-hidden="true">{copied ? "Copied" : "Copy"}</span>
    </button>
  );
}
