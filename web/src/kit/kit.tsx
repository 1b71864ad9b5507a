import { useState } from "react";
import { Segments } from "@/components/segments";
import { ThemeSwitch } from "@/components/theme-switch";

const WIDTHS = { phone: 360, tablet: 820, desktop: 1366 };

type Width = keyof typeof WIDTHS;

/** All components at the chosen width and in the chosen theme; a frame has its own width. */
export function Kit() {
  const [width, setWidth] = useState<Width>("phone");
  const options = Object.entries(WIDTHS).map(([value, pixels]) => ({
    value: value as Width,
    text: `${value}, ${pixels}`,
  }));
  return (
    <main>
      <h1>Parts</h1>
      <ThemeSwitch />
      <Segments label="Width" options={options} value={width} onChange={setWidth} />
      <iframe
        title={`All parts on a ${width}`}
        src="/kit/?parts"
        style={{ width: WIDTHS[width], height: "80dvh", border: 0 }}
      />
    </main>
  );
}
