import "~/parts/tabs.css";
import type { ReactNode } from "react";
import { NavLink } from "react-router-dom";

interface TabsProps {
  label: string;
  tabs: readonly { path: string; title: string }[];
  /** What can be done on any of them. */
  beside?: ReactNode;
}

/** Screens of one area, side by side. */
export function Tabs({ label, tabs, beside }: TabsProps) {
  return (
    <div className="list-head">
      <nav className="tabs" aria-label={label}>
        {tabs.map(({ path, title }) => (
          <NavLink key={path} to={path} end>
            {title}
          </NavLink>
        ))}
      </nav>
      {beside}
    </div>
  );
}
