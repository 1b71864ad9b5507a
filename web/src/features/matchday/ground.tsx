import "@/features/matchday/ground.css";

/** A club's ground, drawn by the server in the club's colours; decoration of a match. */
export function Ground({ clubId }: { clubId: string }) {
  return (
    <span className="match-ground">
      <img src={`/media/grounds/${clubId}.svg`} alt="" width={1200} height={400} />
    </span>
  );
}
