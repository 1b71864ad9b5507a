import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";

/** The box in which a wide table scrolls; its edge fades where columns are out of view. */
export function TableBox({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  const [isCut, setCut] = useState(false);
  const measure = useCallback(() => {
    const { scrollLeft = 0, scrollWidth = 0, clientWidth = 0 } = box.current ?? {};
    setWide(scrollWidth > clientWidth);
    setCut(scrollLeft + clientWidth < scrollWidth - 1);
  }, []);
  // After every render: other rows make another width.
  useEffect(measure);
  useEffect(() => {
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, [measure]);
  // Keyboards scroll what they can focus.
  const reach = isWide
    ? { role: "region", tabIndex: 0, "aria-label": "Table, wider than the screen" }
    : {};
  return (
    <div className="table-box">
      <div
        ref={box}
        className={isCut ? "table-scroll is-cut" : "table-scroll"}
        onScroll={measure}
        {...reach}
      >
        {children}
      </div>
    </div>
  );
}
