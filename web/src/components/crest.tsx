import "@/components/crest.css";
import { useState } from "react";
import { clubPair, readableOn } from "@/lib/colours";
import { crestLetters } from "@/lib/names";

interface CrestProps {
  clubName: string;
  emblem?: string | null | undefined;
  colours?: readonly string[] | null | undefined;
  /** Side in CSS pixels. */
  size: number;
  /** Fetched when it comes near the screen: for the many crests of a list. */
  lazy?: boolean;
}

/** A club's emblem; where the picture is missing or does not load, a shield in its colours. */
export function Crest({ clubName, emblem, colours, size, lazy = false }: CrestProps) {
  const [broken, setBroken] = useState(false);
  if (emblem && !broken) {
    return (
      <img
        className="crest"
        src={emblem}
        alt=""
        width={size}
        height={size}
        loading={lazy ? "lazy" : undefined}
        onError={() => setBroken(true)}
      />
    );
  }
  return <DrawnCrest letters={crestLetters(clubName)} colours={clubPair(colours)} size={size} />;
}

interface DrawnCrestProps {
  letters: string;
  colours: [string, string];
  size: number;
}

function DrawnCrest({ letters, colours: [first, second], size }: DrawnCrestProps) {
  return (
    <svg className="crest" width={size} height={size} viewBox="0 0 48 48" aria-hidden="true">
      <path d="M24 2 43 8v16c0 11-8 18-19 22C13 42 5 35 5 24V8z" fill={first} />
      <path d="M24 2 43 8v16c0 11-8 18-19 22z" fill={second} />
      <circle cx="24" cy="23" r="11" fill={first} stroke={readableOn(first)} strokeWidth="2" />
      <text
        className="crest-letters"
        x="24"
        y="28"
        textAnchor="middle"
        fontSize="13"
        fill={readableOn(first)}
      >
        {letters}
      </text>
    </svg>
  );
}
