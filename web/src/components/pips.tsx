import "@/components/pips.css";

interface PipsProps {
  /** The number of filled bars, or which of them are filled. */
  value: number | readonly boolean[];
  total: number;
  /** The bar, from 1, that is outlined. */
  current?: number;
}

/** A row of bars; decoration beside the number in words. */
export function Pips({ value, total, current }: PipsProps) {
  const places = Array.from({ length: total }, (_, index) => index + 1);
  const isFilled = (place: number) =>
    typeof value === "number" ? place <= value : value[place - 1] === true;
  return (
    <span className="pips" aria-hidden="true">
      {places.map((place) => (
        <span
          key={place}
          className={`${isFilled(place) ? "is-reached" : ""} ${place === current ? "is-current" : ""}`}
        />
      ))}
    </span>
  );
}
