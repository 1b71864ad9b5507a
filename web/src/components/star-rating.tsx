import "@/components/star-rating.css";
import { useId } from "react";

const STARS = [0, 1, 2, 3, 4];
const SHAPE = "m8 1 2.2 4.5 4.9.7-3.6 3.5.9 4.9L8 12.3l-4.4 2.3.9-4.9L.9 6.2l4.9-.7z";

/** A rating out of 10, drawn as 5 stars with halves. */
export function StarRating({ outOfTen }: { outOfTen: number }) {
  const gradient = useId();
  const stars = Math.round(Math.min(Math.max(outOfTen, 0), 10)) / 2;
  return (
    <svg
      className="stars"
      width="90"
      height="16"
      viewBox="0 0 90 16"
      role="img"
      aria-label={`${stars} out of 5 stars`}
    >
      <clipPath id={gradient}>
        <rect width={Math.floor(stars) * 18 + (stars % 1) * 16} height="16" />
      </clipPath>
      <g className="stars-empty">
        {STARS.map((star) => (
          <path key={star} d={SHAPE} transform={`translate(${star * 18} 0)`} />
        ))}
      </g>
      <g className="stars-full" clipPath={`url(#${gradient})`}>
        {STARS.map((star) => (
          <path key={star} d={SHAPE} transform={`translate(${star * 18} 0)`} />
        ))}
      </g>
    </svg>
  );
}
