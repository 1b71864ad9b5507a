import { Skeleton } from "@/components/skeleton";

const LOADING_CARDS = ["1", "2", "3", "4"];

/** The loading list: cards of the final heights. */
export function LoadingMoments({ kind = "own" }: { kind?: "own" | "feed" }) {
  return (
    <div className="shop-all">
      <p className="muted" role="status">
        Loading ...
      </p>
      <ul className={`moment-grid moment-${kind}`} aria-hidden="true">
        {LOADING_CARDS.map((card) => (
          <li key={card} className="moment-waiting">
            <Skeleton shape="block" />
          </li>
        ))}
      </ul>
    </div>
  );
}
