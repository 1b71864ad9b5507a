import "@/components/skeleton.css";
import type { ReactNode } from "react";

interface SkeletonProps {
  /** `line` is as high as text, `numeral` as a big number, `block` fills its container. */
  shape?: "line" | "numeral" | "block";
  width?: string;
}

/** A placeholder as large as the content that will probably follow, at every width and text size. */
export function SkeletonOf({ children }: { children: ReactNode }) {
  return (
    <div className="skeleton skeleton-of" aria-hidden="true" inert>
      {children}
    </div>
  );
}

/** A placeholder of the content's size. */
export function Skeleton({ shape = "line", width = "100%" }: SkeletonProps) {
  return <span className={`skeleton skeleton-${shape}`} style={{ width }} aria-hidden="true" />;
}
