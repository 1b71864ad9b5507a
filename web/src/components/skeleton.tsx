import "@/components/skeleton.css";

interface SkeletonProps {
  /** `line` is as high as text, `numeral` as a big number, `block` fills its container. */
  shape?: "line" | "numeral" | "block";
  width?: string;
}

/** A placeholder of the content's size. */
export function Skeleton({ shape = "line", width = "100%" }: SkeletonProps) {
  return <span className={`skeleton skeleton-${shape}`} style={{ width }} aria-hidden="true" />;
}
