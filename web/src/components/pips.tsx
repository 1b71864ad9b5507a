import "@/components/pips.css";
/** A row of bars, filled up to the value; decoration beside the number in words. */
export function Pips({ value, total }: { value: number; total: number }) {
  const places = Array.from({ length: total }, (_, index) => index + 1);
  return (
    <span className="pips" aria-hidden="true">
      {places.map((place) => (
        <span key={place} className={place <= value ? "is-reached" : undefined} />
      ))}
    </span>
  );
}
