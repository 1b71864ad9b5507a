import "~/parts/tabs.css";
import { useEffect, useRef } from "react";
import { NavLink, useLocation } from "react-router-dom";

interface TabsProps {
  label: string;
  tabs: readonly { path: string; title: string }[];
}

/** The screens of one area as tabs. */
export function Tabs({ label, tabs }: TabsProps) {
  const { pathname } = useLocation();
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another tab
  useEffect(() => {
    const current = strip.current?.querySelector('[aria-current="page"]');
    current?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [pathname]);
  return (
    <nav ref={strip} className="tabs" aria-label={label}>
      {tabs.map(({ path, title }) => (
        <NavLink key={path} to={path} end>
          {title}
        </NavLink>
      ))}
    </nav>
  );
}
