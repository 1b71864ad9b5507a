import { Menu, ShoppingCart } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, matchPath, useLocation, useNavigationType } from "react-router-dom";
import { shellScreens } from "@/app/routes";
import { BellLink } from "@/app/shell/bell-link";
import { Avatar } from "@/components/avatar";
import { useCart } from "@/features/shop/cart-context";
import { counted } from "@/lib/counts";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";
import { usePageTitle } from "@/lib/use-page-title";

interface PageHeaderProps {
  menuOpen: boolean;
  onOpenMenu: () => void;
}

/** Title, hamburger, cart and member; below them the two-colour hoop of the club. */
export function PageHeader({ menuOpen, onOpenMenu }: PageHeaderProps) {
  const member = useMember();
  const { title, heading } = useScreenTitle();
  return (
    <header className="page-header">
      <div className="page-header-row">
        <button
          type="button"
          className="icon-button menu-toggle"
          aria-label="Open menu"
          aria-expanded={menuOpen}
          aria-controls="side-menu"
          onClick={onOpenMenu}
        >
          <Menu aria-hidden="true" />
        </button>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <BellLink />
        <CartLink />
        <Link className="header-member" to={paths.profile}>
          <Avatar lastName={member.lastName} src={member.avatar} />
          <span className="header-name">
            {member.firstName}
            <span className="visually-hidden">, profile</span>
          </span>
        </Link>
      </div>
      <div className="hoop" aria-hidden="true" />
    </header>
  );
}

function CartLink() {
  const { cart } = useCart();
  const pieces = cart.reduce((sum, item) => sum + item.quantity, 0);
  const label = pieces === 0 ? "Cart, empty" : `Cart, ${counted(pieces, "item")}`;
  return (
    <Link className="icon-button cart-link" to={paths.orders} aria-label={label}>
      <ShoppingCart aria-hidden="true" />
      {cart.length > 0 ? (
        <span className="cart-count" aria-hidden="true">
          {cart.length}
        </span>
      ) : null}
    </Link>
  );
}

/** Name the tab, and take a keyboard or screen reader to the heading of every new screen. */
function useScreenTitle() {
  const { pathname } = useLocation();
  const arrivedBy = useNavigationType();
  const heading = useRef<HTMLHeadingElement>(null);
  const firstPath = useRef(pathname);
  const screen = shellScreens.find(({ path }) => matchPath(path, pathname));
  const title = screen?.title ?? "";
  usePageTitle(title);
  useEffect(() => {
    if (firstPath.current === pathname) {
      return;
    }
    firstPath.current = "";
    heading.current?.focus({ preventScroll: true });
    if (arrivedBy !== "POP") {
      window.scrollTo(0, 0);
    }
  }, [pathname, arrivedBy]);
  return { title, heading };
}
