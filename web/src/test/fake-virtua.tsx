import { type ReactElement, type Ref, useImperativeHandle, useRef } from "react";

/** The list's scroll position; a test changes it and then scrolls. */
export const place = { scrollOffset: 0, viewportSize: 400, scrollSize: 400 };

interface FakeListProps<Item> {
  ref?: Ref<unknown>;
  data: Item[];
  children: (item: Item, index: number) => ReactElement;
  shift?: boolean;
  onScroll?: () => void;
  onResize?: () => void;
}

/** Replaces the virtual list, which needs a browser's layout: every row is rendered. */
export function VList<Item>({
  ref,
  data,
  children,
  shift,
  onScroll,
  onResize: _onResize,
  ...rest
}: FakeListProps<Item>) {
  const scrollToIndex = useRef(() => {
    place.scrollOffset = place.scrollSize - place.viewportSize;
  });
  useImperativeHandle(ref, () => ({
    get scrollOffset() {
      return place.scrollOffset;
    },
    get viewportSize() {
      return place.viewportSize;
    },
    get scrollSize() {
      return place.scrollSize;
    },
    findItemIndex: (offset: number) =>
      Math.min(data.length - 1, Math.floor((offset / place.scrollSize) * data.length)),
    scrollToIndex: scrollToIndex.current,
  }));
  return (
    <div {...rest} data-shift={shift} onScroll={() => onScroll?.()}>
      {data.map(children)}
    </div>
  );
}
