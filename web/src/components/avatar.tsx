import "@/components/avatar.css";
import { useState } from "react";
import { useLowData } from "@/lib/device/low-data";
import { avatarColour, initialOf } from "@/lib/format/names";

const SIDE_PIXELS = { small: 40, large: 72, preview: 126 }; // the preview is of spec 2

interface AvatarProps {
  /** Without a picture, its initial and colour are shown. */
  lastName: string;
  src?: string | null;
  size?: keyof typeof SIDE_PIXELS;
  /** The picture's alternative text; beside a name it is decoration. */
  alt?: string;
}

/**
 * A member's avatar: the picture, or the last name's initial on one of six colours.
 *
 * A picture that fails to load leaves the initial until the address changes. In data saver mode
 * only pictures of this device are shown: the others exist in one size only.
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
