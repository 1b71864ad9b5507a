import "~/parts/day-chart.css";
import { useEffect, useId, useRef, useSyncExternalStore } from "react";
import type uPlot from "uplot";
import { formatDay } from "@/lib/format/dates";
import { themeChoice } from "@/lib/ui/theme";

interface Series {
  title: string;
  /** The figure of each day; null if nothing was counted. */
  values: readonly (number | null)[];
}

interface DayChartProps {
  title: string;
  /** Days as `2026-11-21`. */
  days: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
}

const HEIGHT = 200;

/** A chart of a figure by day, with a table for screen readers. */
export function DayChart({ title, days, series, format }: DayChartProps) {
  const id = useId();
  const place = usePlot(days, series, format);
  return (
    <figure className="day-chart" aria-labelledby={id}>
      <figcaption id={id}>
        <h3>{title}</h3>
        <ul className="legend small">
          {series.map(({ title: name, values }) => (
            <li key={name}>
              <span className="swatch" aria-hidden="true" />
              {name} <strong>{lastOf(values, format)}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={place} className="plot" aria-hidden="true" />
      <details>
        <summary className="small">As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {series.map(({ title: name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                {series.map(({ title: name, values }) => (
                  <td key={name}>{shown(values[index], format)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function lastOf(values: readonly (number | null)[], format: (value: number) => string): string {
  return shown(values.at(-1), format);
}

function shown(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

/** Draw into the returned element, at its width and in the theme's colours. */
function usePlot(
  days: readonly string[],
  series: readonly Series[],
  format: (value: number) => string,
) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useSyncExternalStore(themeChoice.subscribe, themeChoice.read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const element = place.current;
    if (element === null || days.length === 0) {
      return;
    }
    let plot: uPlot | null = null;
    let isGone = false;
    const fit = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    // The chart library loads only when a chart is shown.
    void import("uplot").then(({ default: Plot }) => {
      if (!isGone) {
        plot = new Plot(optionsFor(element, series, format), dataOf(days, series), element);
        fit.observe(element);
      }
    });
    return () => {
      isGone = true;
      fit.disconnect();
      plot?.destroy();
    };
  }, [days, series, format, theme]);
  return place;
}

function dataOf(days: readonly string[], series: readonly Series[]): uPlot.AlignedData {
  const seconds = days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);
  return [seconds, ...series.map(({ values }) => [...values])];
}

function optionsFor(
  element: HTMLElement,
  series: readonly Series[],
  format: (value: number) => string,
): uPlot.Options {
  const style = getComputedStyle(element);
  const swatches = [...(element.parentElement?.querySelectorAll(".swatch") ?? [])];
  const axis = {
    stroke: style.color,
    grid: { stroke: style.borderTopColor, width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: true }, y: { range: (_, _least, max) => [0, Math.max(1, max)] } },
    tzDate: (seconds) => new Date(seconds * 1000),
    axes: [
      { ...axis, values: (_, days) => days.map((seconds) => formatDay(seconds * 1000)), space: 90 },
      { ...axis, values: (_, values) => values.map(format), size: 76 },
    ],
    series: [
      {},
      ...series.map(({ title }, index) => ({
        label: title,
        stroke: getComputedStyle(swatches[index] ?? element).backgroundColor,
        width: 2,
        spanGaps: false,
      })),
    ],
  };
}
