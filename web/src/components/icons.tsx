import type { ReactNode } from "react";

/** The few icons of the first screen; drawn here so that it loads no icon library. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export function CrossIcon() {
  return (
    <Icon>
      <path d="M6 6l12 12M18 6 6 18" />
    </Icon>
  );
}

export function InfoIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 11v5M12 8v.01" />
    </Icon>
  );
}

export function AlertIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v6M12 16v.01" />
    </Icon>
  );
}

export function DoneIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="9" />
      <path d="m8 12.5 2.7 2.700L16 10" />
    </Icon>
  );
}

/** An eye, struck through while the value is visible and can be hidden. */
export function EyeIcon({ struck }: { struck: boolean }) {
  return (
    <Icon>
      <path d="M2.5 12C5 7.5 8.2 5.5 12 5.500s7 2 9.5 6.500c-2.5 4.5-5.7 6.5-9.5 6.500s-7-2-9.5-6.500z" />
      <circle cx="12" cy="12" r="3" />
      {struck ? <path d="M4 4l16 16" /> : null}
    </Icon>
  );
}
