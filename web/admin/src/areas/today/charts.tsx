import { useMemo } from "react";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { formatCount } from "@/lib/format/counts";
import { formatShortMoment } from "@/lib/format/dates";
import { formatNairaShort } from "@/lib/format/money";
import type { ResponseOf } from "~/api/calls";
import { useAnswer } from "~/api/queries";
import { DayChart } from "~/parts/day-chart";

type Figures = ResponseOf<"GET /api/v1/admin/figures">;
type Day = Figures["days"][number];
type Figure = Exclude<keyof Day, "day">;

interface Chart {
  title: string;
  series: { title: string; figure: Figure }[];
  format: (value: number) => string;
}

const CHARTS: Chart[] = [
  {
    title: "Money in and out of wallets",
    series: [
      { title: "In", figure: "moneyIn" },
      { title: "Out", figure: "moneyOut" },
    ],
    format: formatNairaShort,
  },
  {
    title: "Active members",
    series: [{ title: "Members", figure: "activeMembers" }],
    format: formatCount,
  },
  {
    title: "Daily Quest and Battle Zone",
    series: [
      { title: "In the quest", figure: "questMembers" },
      { title: "In battle", figure: "battleMembers" },
    ],
    format: formatCount,
  },
  {
    title: "Chat",
    series: [{ title: "Messages", figure: "chatMessages" }],
    format: formatCount,
  },
];

/** Charts of the last days; those the operator may not read are omitted. */
export function Charts() {
  const figures = useAnswer("GET /api/v1/admin/figures");
  return (
    <Panel title="Last 30 days">
      <Loaded query={figures} pending={<Skeleton shape="block" />}>
        {({ days, countedAt }) => (
          <>
            <div className="charts">
              {CHARTS.filter(({ series }) => isCounted(days, series)).map((chart) => (
                <OneChart key={chart.title} chart={chart} days={days} />
              ))}
            </div>
            <p className="small muted">
              {countedAt === null
                ? "No figures yet. They are updated every few minutes."
                : `Counted on ${formatShortMoment(countedAt)}.`}
            </p>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function OneChart({ chart, days }: { chart: Chart; days: Figures["days"] }) {
  const drawn = useMemo(
    () => ({
      days: days.map(({ day }) => day),
      series: chart.series.map(({ title, figure }) => ({
        title,
        values: days.map((day) => day[figure]),
      })),
    }),
    [chart, days],
  );
  return <DayChart title={chart.title} {...drawn} format={chart.format} />;
}

function isCounted(days: Figures["days"], series: Chart["series"]): boolean {
  return days.some((day) => series.some(({ figure }) => day[figure] !== null));
}
