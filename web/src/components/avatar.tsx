import "@/components/avatar.css";
import { useState } from "react";
import { useLowData } from "@/lib/low-data";
import { avatarColour, initialOf } from "@/lib/names";

const SIDE_PIXELS = { small: 40, large: 72, preview: 126 }; // the preview is of spec 2

interface AvatarProps {
  /** Its letter and colour stand where there is no picture. */
  lastName: string;
  src?: string | null;
  size?: keyof typeof SIDE_PIXELS;
  /** What the picture says; it is decoration beside a name. */
  alt?: string;
}

/**
 * A member's face: the picture, or the last name's initial on one of six colours.
 *
 * A picture that does not load leaves the initial until there is another address. A member who
 * spares data sees initials, but for a picture of this device: the others exist in one size only.
 */
export function Avatar({ lastName, src, size = "small", alt = "" }: AvatarProps) {
  const sparesData = useLowData();
  const [broken, setBroken] = useState<string | null>(null);
  if (src && src !== broken && (!sparesData || src.startsWith("blob:"))) {
    return (
      <img
        className={`avatar avatar-${size}`}
        src={src}
        alt={alt}
        width={SIDE_PIXELS[size]}
        height={SIDE_PIXELS[size]}
        onError={() => setBroken(src)}
      />
    );
  }
  return (
    <span
      className={`avatar avatar-${size} avatar-colour-${avatarColour(lastName)}`}
      aria-hidden="true"
    >
      {initialOf(lastName)}
    </span>
  );
}
