import { NavLink } from "react-router-dom";
import { bottomItems } from "@/app/shell/menu-items";
import { paths } from "@/lib/paths";

/** The phone's bar of five screens. */
export function BottomBar() {
  return (
    <nav className="bottom-bar" aria-label="Shortcuts">
      <ul>
        {bottomItems.map(({ title, path, icon: Icon }) => (
          <li key={path}>
            <NavLink to={path} end={path === paths.home}>
              <Icon aria-hidden="true" />
              {title}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
