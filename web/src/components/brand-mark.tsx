import "@/components/brand-mark.css";
/** The product's own mark: a shield with a crown. */
export function BrandMark({ size }: { size: number }) {
  return (
    <svg className="brand-mark" width={size} height={size} viewBox="0 0 48 48" aria-hidden="true">
      <path className="brand-shield" d="M24 2 43 8v16c0 11-8 18-19 22C13 42 5 35 5 24V8z" />
      <path className="brand-shade" d="M24 2 43 8v16c0 11-8 18-19 22z" />
      <path className="brand-crown" d="m12 18 6.5 5L24 13l5.5 10 6.5-5-2.5 14h-19z" />
    </svg>
  );
}

/** The mark with the product's name. */
export function Wordmark() {
  return (
    <span className="wordmark">
      <BrandMark size={36} />
      <span>
        King <em>of</em> Fans
      </span>
    </span>
  );
}
