import "@/components/carousel.css";
import type { EmblaCarouselType } from "embla-carousel";
import { ChevronLeft, ChevronRight, Pause, Play } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";

interface CarouselProps {
  label: string;
  /** Milliseconds between two moves; without it the row moves only on input. */
  autoplayMs?: number;
  /** A drag continues and stops anywhere, instead of at an item; the row then has two ends. */
  freeDrag?: boolean;
  className?: string;
  children: ReactNode;
}

const STEPS_OF_KEY: Record<string, 1 | -1> = { ArrowLeft: -1, ArrowRight: 1 };
const SHARE_OF_A_STEP = 0.8;
const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

/**
 * A row that can be dragged, or moved with the arrow keys; it may move automatically.
 *
 * A drag does not stop an automatic row, the pause button does; under reduced motion it stands
 * still. Other rows have a button for each direction. Until the library has loaded, the row scrolls
 * natively.
 */
export function Carousel({
  label,
  autoplayMs,
  freeDrag = false,
  className = "",
  children,
}: CarouselProps) {
  const viewport = useRef<HTMLElement>(null);
  const still = window.matchMedia?.(REDUCED_MOTION).matches === true;
  const [playing, setPlaying] = useState(!still);
  const embla = useEmbla(viewport, { autoplayMs, freeDrag, playAtStart: playing });

  const toggle = () => {
    const autoplay = embla.current?.plugins().autoplay;
    if (playing) {
      autoplay?.stop();
    } else {
      autoplay?.play();
    }
    setPlaying(!playing);
  };
  const move = (steps: 1 | -1) => {
    const driven = embla.current;
    if (driven === null) {
      const step = (viewport.current?.clientWidth ?? 0) * SHARE_OF_A_STEP;
      viewport.current?.scrollBy({ left: steps * step });
    } else {
      driven.scrollTo(driven.selectedScrollSnap() + steps, still);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = STEPS_OF_KEY[event.key];
    if (steps !== undefined && event.target === event.currentTarget) {
      event.preventDefault();
      move(steps);
    }
  };

  return (
    <div className={`carousel ${className}`}>
      <section
        ref={viewport}
        className="carousel-viewport"
        aria-roledescription="carousel"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a row that scrolls has to be reachable by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <ul className="carousel-track">{children}</ul>
      </section>
      {autoplayMs === undefined ? (
        <MoveButtons onMove={move} />
      ) : (
        <button
          type="button"
          className="icon-button carousel-pause"
          aria-label={playing ? "Pause the carousel" : "Play the carousel"}
          onClick={toggle}
        >
          {playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
        </button>
      )}
    </div>
  );
}

/** A keyboard alternative to dragging. */
function MoveButtons({ onMove }: { onMove: (steps: 1 | -1) => void }) {
  return (
    <div className="carousel-moves">
      <button
        type="button"
        className="icon-button"
        aria-label="Previous"
        onClick={() => onMove(-1)}
      >
        <ChevronLeft aria-hidden="true" />
      </button>
      <button type="button" className="icon-button" aria-label="Next" onClick={() => onMove(1)}>
        <ChevronRight aria-hidden="true" />
      </button>
    </div>
  );
}

interface EmblaSettings {
  autoplayMs: number | undefined;
  freeDrag: boolean;
  playAtStart: boolean;
}

function useEmbla(
  viewport: RefObject<HTMLElement | null>,
  given: EmblaSettings,
): RefObject<EmblaCarouselType | null> {
  const embla = useRef<EmblaCarouselType | null>(null);
  const settings = useRef(given);
  useEffect(() => {
    let left = false;
    const { freeDrag } = settings.current;
    Promise.all([import("embla-carousel"), autoplayOf(settings.current)])
      .then(([{ default: createEmbla }, plugins]) => {
        const element = viewport.current;
        if (left || element === null) {
          return;
        }
        element.classList.add("is-driven");
        element.scrollLeft = 0;
        const options = { loop: !freeDrag, dragFree: freeDrag, align: "start" as const };
        embla.current = createEmbla(element, options, plugins);
      })
      .catch(() => {
        // The row keeps its native scrolling.
      });
    return () => {
      left = true;
      embla.current?.destroy();
      embla.current = null;
    };
  }, [viewport]);
  return embla;
}

/** The autoplay plugin, fetched only for rows that move automatically. */
async function autoplayOf({ autoplayMs, playAtStart }: EmblaSettings) {
  if (autoplayMs === undefined) {
    return [];
  }
  const { default: createAutoplay } = await import("embla-carousel-autoplay");
  return [
    createAutoplay({
      delay: autoplayMs,
      stopOnInteraction: false,
      stopOnMouseEnter: true,
      stopOnFocusIn: true,
      playOnInit: playAtStart,
    }),
  ];
}
