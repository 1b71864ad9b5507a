import "@/components/placeholder-stories.css";
import { Newspaper, Radio } from "lucide-react";

const PLACEHOLDERS = [
  {
    icon: Newspaper,
    title: "Club stories will appear here",
    text: "Reports, transfers and interviews, as soon as the news desk publishes.",
  },
  {
    icon: Radio,
    title: "Matchdays will appear here",
    text: "Line-ups and results of your club, as soon as fixtures are connected.",
  },
];

/** Two placeholders until articles are published; their Read More opens nothing yet. */
export function PlaceholderStories() {
  return (
    <ul className="news-list">
      {PLACEHOLDERS.map(({ icon: Icon, title, text }) => (
        <li key={title} className="news-item">
          <span className="news-picture">
            <Icon aria-hidden="true" />
          </span>
          <div>
            <h3>{title}</h3>
            <p className="small muted">{text}</p>
            <button type="button" className="text-link small" disabled>
              Read More
            </button>
          </div>
        </li>
      ))}
    </ul>
  );
}
