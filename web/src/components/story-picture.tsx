import "@/components/story-picture.css";
import { useState } from "react";
import { useLowData } from "@/lib/device/low-data";

interface StoryPictureProps {
  src: string | null;
  /** Requested size in CSS pixels. */
  width: number;
  height: number;
}

/**
 * An article's picture in a list, decoration beside its title; a pitch in the club's colours if
 * there is none, if it fails to load, and in data saver mode.
 */
export function StoryPicture({ src, width, height }: StoryPictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const sparesData = useLowData();
  return src === null || src === broken || sparesData ? (
    <span className="story-none" />
  ) : (
    <img
      src={src}
      alt=""
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(src)}
    />
  );
}
