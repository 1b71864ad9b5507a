import "@/features/home/greeting.css";
import { useMember } from "@/lib/session";

/** Greets the member by first name. */
export function Greeting() {
  const { firstName, clubName } = useMember();
  return (
    <div className="greeting">
      <p className="greeting-name">
        Welcome back, <strong>{firstName}</strong>
      </p>
      <p className="muted">Here is where you and {clubName} stand.</p>
    </div>
  );
}
