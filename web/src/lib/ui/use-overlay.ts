import { useEffect, useRef } from "react";
import { openOverlay } from "@/lib/ui/overlays";

/** While `isOpen`, Back calls `onBack` instead of leaving the screen. */
export function useOverlay(isOpen: boolean, onBack: () => void): void {
  const newest = useRef(onBack);
  newest.current = onBack;
  useEffect(() => (isOpen ? openOverlay(() => newest.current()) : undefined), [isOpen]);
}
