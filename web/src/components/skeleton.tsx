import "@/components/skeleton.css";

interface SkeletonProps {
  /** `line` is as high as text, `numeral` as a big number, `block` fills its place. */
  shape?: "line" | "numeral" | "block";
  width?: string;
}

/** A place holder of the size that the content will have. */
export function Skeleton({ shape = "line", width = "100%" }: SkeletonProps) {
  return <span className={`skeleton skeleton-${shape}`} style={{ width }} aria-hidden="true" />;
}
