import { ShoppingCart } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import { shellScreenAt } from "@/app/routes";
import { BellLink } from "@/app/shell/bell-link";
import { Avatar } from "@/components/avatar";
import { PageBar } from "@/components/page-bar";
import { useCart } from "@/features/shop/cart-context";
import { counted } from "@/lib/format/counts";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";
import { usePageTitle } from "@/lib/ui/use-page-title";

interface PageHeaderProps {
  menuOpen: boolean;
  onOpenMenu: () => void;
}

/** The screen's title, which also names the tab, the bell, the cart and the member. */
export function PageHeader(props: PageHeaderProps) {
  const member = useMember();
  const { pathname } = useLocation();
  const screen = shellScreenAt(pathname);
  const title = screen?.title ?? "";
  usePageTitle(title);
  return (
    <PageBar {...props} title={title}>
      <BellLink />
      <CartLink />
      <Link className="header-member" to={paths.profile}>
        <Avatar lastName={member.lastName} src={member.avatar} />
        <span className="header-name">
          {member.firstName}
          <span className="visually-hidden">, profile</span>
        </span>
      </Link>
    </PageBar>
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
