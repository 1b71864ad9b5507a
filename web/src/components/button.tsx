import "@/components/button.css";
import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from "react";
import { Spinner } from "@/components/spinner";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger" | "accent";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>;
  variant?: ButtonVariant;
  busy?: boolean;
  /** The button's text while it is busy. */
  busyText?: string;
  wide?: boolean;
  icon?: ReactNode;
}

/** The classes of a button, for links that look like one. */
export function buttonClasses(variant: ButtonVariant = "primary", wide = false): string {
  return `button button-${variant}${wide ? " button-wide" : ""}`;
}

/** Disables both clicks and the form's Enter. */
const stay = (event: MouseEvent) => event.preventDefault();

/**
 * The standard button; while busy it stays in place, says so and cannot be pressed again.
 *
 * It is not disabled then: that would take the focus away from it.
 */
export function Button({
  variant = "primary",
  busy = false,
  busyText,
  wide = false,
  icon,
  className = "",
  onClick,
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={`${buttonClasses(variant, wide)} ${className}`}
      onClick={busy ? stay : onClick}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"]}
    >
      {busy ? <Spinner small /> : icon}
      <span>{busy && busyText !== undefined ? busyText : children}</span>
    </button>
  );
}
