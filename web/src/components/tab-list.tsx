import "@/components/tab-list.css";
import { type KeyboardEvent, type ReactNode, useRef } from "react";

interface TabListProps<Value extends string> {
  /** The list's label, for screen readers. */
  label: string;
  /** The prefix of the ids of the tabs and of their panels: see `tabPanel`. */
  name: string;
  tabs: readonly { value: Value; content: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Tabs of which one is open: arrow keys, Home and End move between them. */
export function TabList<Value extends string>({
  label,
  name,
  tabs,
  value,
  onChange,
}: TabListProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[nextIndex(event.key, at, tabs.length)];
    if (next !== undefined) {
      event.preventDefault();
      onChange(next.value);
      list.current?.querySelector<HTMLElement>(`#${tabId(name, next.value)}`)?.focus();
    }
  };
  return (
    <div ref={list} className="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={tabId(name, tab.value)}
          aria-selected={tab.value === value}
          aria-controls={tab.value === value ? panelId(name, tab.value) : undefined}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
        >
          {tab.content}
        </button>
      ))}
    </div>
  );
}

/** The attributes of the open tab's panel. */
export function tabPanel(name: string, value: string) {
  return {
    role: "tabpanel",
    id: panelId(name, value),
    "aria-labelledby": tabId(name, value),
  } as const;
}

const tabId = (name: string, value: string) => `${name}-tab-${value}`;
const panelId = (name: string, value: string) => `${name}-panel-${value}`;

/** The target index of a key, wrapping around; -1 for every other key. */
function nextIndex(key: string, at: number, count: number): number {
  const steps: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1 };
  const ends: Record<string, number> = { Home: 0, End: count - 1 };
  const step = steps[key];
  return step === undefined ? (ends[key] ?? -1) : (step + count) % count;
}
