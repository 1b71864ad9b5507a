import { useEffect, useState } from "react";

const CONFIRM_MS = 2000;

/**
 * Copies a text and confirms it for two seconds; `copy` returns false if the browser forbids it.
 */
export function useCopy(text: string): { copied: boolean; copy: () => Promise<boolean> } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) {
      return;
    }
    const timer = setTimeout(() => setCopied(false), CONFIRM_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      return true;
    } catch {
      setCopied(false);
      return false;
    }
  };
  return { copied, copy };
}
