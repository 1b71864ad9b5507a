import { Skeleton } from "@/components/skeleton";

/** A skeleton part: its height in pixels, and its distance from the one before. */
export type Block = number | readonly [gap: number, height: number];

const GAP = 16;
/** For screens without a layout. */
const THREE_BLOCKS: readonly Block[] = [192, 192, 192];

interface ScreenSkeletonProps {
  /** The first view of the screen on a phone, from the top. */
  blocks?: readonly Block[];
}

/** A skeleton of a loading screen: its parts are at their final places, so that nothing moves. */
export function ScreenSkeleton({ blocks = THREE_BLOCKS }: ScreenSkeletonProps) {
  return (
    <div className="screen-skeleton" role="status" aria-label="Loading">
      {blocks.map((block, index) => {
        const [gap, height] = typeof block === "number" ? [index === 0 ? 0 : GAP, block] : block;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and never change
          <div key={index} style={{ marginTop: gap, height }}>
            <Skeleton shape="block" />
          </div>
        );
      })}
    </div>
  );
}
