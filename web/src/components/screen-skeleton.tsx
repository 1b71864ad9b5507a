import { Skeleton } from "@/components/skeleton";

/** A part of a screen: its height in pixels, and how far below the one before it begins. */
export type Block = number | readonly [gap: number, height: number];

const GAP = 16;
/** Of screens that say nothing else. */
const THREE_BLOCKS: readonly Block[] = [192, 192, 192];

interface ScreenSkeletonProps {
  /** What a phone shows of the screen first, from the top. */
  blocks?: readonly Block[];
}

/** A screen that is still on its way: its parts are where they will be, so that nothing moves. */
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
