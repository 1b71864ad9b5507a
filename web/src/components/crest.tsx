import "@/components/crest.css";
import { useState } from "react";
import { clubPair, readableOn } from "@/lib/format/colours";
import { CREST_SIDE, LETTERS, RING, SHIELD, SHIELD_HALF } from "@/lib/format/crest-shape";
import { crestLetters } from "@/lib/format/names";

interface CrestProps {
  clubName: string;
  emblem?: string | null | undefined;
  colours?: readonly string[] | null | undefined;
  /** Side in CSS pixels. */
  size: number;
  /** Lazily loaded: for lists with many crests. */
  lazy?: boolean;
}

/** A club's emblem; if the picture is missing or fails to load, a shield in its colours. */
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
    <svg
      className="crest"
      width={size}
      height={size}
      viewBox={`0 0 ${CREST_SIDE} ${CREST_SIDE}`}
      aria-hidden="true"
    >
      <path d={SHIELD} fill={first} />
      <path d={SHIELD_HALF} fill={second} />
      <circle
        cx={RING.x}
        cy={RING.y}
        r={RING.radius}
        fill={first}
        stroke={readableOn(first)}
        strokeWidth={RING.stroke}
      />
      <text
        className="crest-letters"
        x={LETTERS.x}
        y={LETTERS.y}
        textAnchor="middle"
        fontSize={LETTERS.size}
        fill={readableOn(first)}
      >
        {letters}
      </text>
    </svg>
  );
}
