import { Skeleton } from "@/components/skeleton";

/** A screen that is still on its way: it fills the page, so that nothing below it moves. */
export function ScreenSkeleton() {
  return (
    <div className="screen-skeleton" role="status" aria-label="Loading">
      <Skeleton shape="block" />
      <Skeleton shape="block" />
      <Skeleton shape="block" />
    </div>
  );
}
