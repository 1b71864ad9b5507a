import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useOverlay } from "@/lib/ui/use-overlay";

interface MenuDrawerProps {
  /** Whether the drawer is open; from 900 px on the menu is always visible. */
  open: boolean;
  onClose: () => void;
  brand: ReactNode;
  children: ReactNode;
}

/** The main menu; on small screens a drawer that traps the focus and closes with Escape and Back. */
export function MenuDrawer({ open, onClose, brand, children }: MenuDrawerProps) {
  const menu = useRef<HTMLElement>(null);
  useDrawerFocus(menu, open);
  useOverlay(open, onClose);
  const onKeyDown = (event: KeyboardEvent) => {
    if (open && event.key === "Escape") {
      onClose();
    }
    if (open && event.key === "Tab") {
      trapFocus(event, menu.current);
    }
  };
  return (
    <>
      {open ? (
        <button
          type="button"
          className="menu-shade"
          aria-label="Close the menu"
          tabIndex={-1}
          onClick={onClose}
        />
      ) : null}
      <nav
        ref={menu}
        id="side-menu"
        className={open ? "side-menu is-open" : "side-menu"}
        aria-label="Main menu"
        onKeyDown={onKeyDown}
      >
        <div className="menu-brand">
          {brand}
          <button type="button" className="icon-button" aria-label="Close menu" onClick={onClose}>
            <X aria-hidden="true" />
          </button>
        </div>
        {children}
      </nav>
    </>
  );
}

function useDrawerFocus(menu: React.RefObject<HTMLElement | null>, open: boolean): void {
  useEffect(() => {
    if (!open) {
      return;
    }
    const opener = document.activeElement;
    menu.current?.querySelector<HTMLElement>(".menu-brand button")?.focus();
    return () => {
      if (opener instanceof HTMLElement && menu.current?.contains(document.activeElement)) {
        opener.focus();
      }
    };
  }, [menu, open]);
}

function trapFocus(event: KeyboardEvent, menu: HTMLElement | null): void {
  const stops = Array.from(menu?.querySelectorAll<HTMLElement>("a[href], button, input") ?? []);
  const first = stops[0];
  const last = stops.at(-1);
  if (event.shiftKey && document.activeElement === first) {
    event.preventDefault();
    last?.focus();
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault();
    first?.focus();
  }
}
