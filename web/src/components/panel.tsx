import "@/components/panel.css";
import { type ReactNode, useId } from "react";

interface PanelProps {
  title: string;
  /** A link or button at the end of the heading's line. */
  action?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A card with a heading. */
export function Panel({ title, action, className = "", children }: PanelProps) {
  const id = useId();
  return (
    <section className={`card panel ${className}`} aria-labelledby={id}>
      <header className="panel-header">
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
}
