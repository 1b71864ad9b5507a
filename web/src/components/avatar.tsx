import { useLowData } from "@/lib/low-data";
import { avatarColour, initialOf } from "@/lib/names";

interface AvatarProps {
  name: string;
  src?: string | null;
  size?: "small" | "large";
}

/**
 * A member's picture, or the initial on one of six colours; decoration beside the name.
 *
 * A member who spares data sees initials: the pictures exist in one size only.
 */
export function Avatar({ name, src, size = "small" }: AvatarProps) {
  const sparesData = useLowData();
  if (src && !sparesData) {
    return (
      <img
        className={`avatar avatar-${size}`}
        src={src}
        alt=""
        width={size === "large" ? 72 : 40}
        height={size === "large" ? 72 : 40}
      />
    );
  }
  return (
    <span
      className={`avatar avatar-${size} avatar-colour-${avatarColour(name)}`}
      aria-hidden="true"
    >
      {initialOf(name)}
    </span>
  );
}
