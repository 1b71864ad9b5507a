import type { EmblaCarouselType } from "embla-carousel";
import { Pause, Play } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";

interface CarouselProps {
  label: string;
  /** Milliseconds between two moves. */
  autoplayMs: number;
  children: ReactNode;
}

const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

/**
 * A row that moves by itself and can be dragged; a drag does not stop it, the pause button does.
 *
 * Until the library has loaded the row scrolls natively. Under reduced motion it stands still.
 */
export function Carousel({ label, autoplayMs, children }: CarouselProps) {
  const viewport = useRef<HTMLElement>(null);
  const still = window.matchMedia?.(REDUCED_MOTION).matches === true;
  const [playing, setPlaying] = useState(!still);
  const embla = useEmbla(viewport, autoplayMs, playing);

  const toggle = () => {
    const autoplay = embla.current?.plugins().autoplay;
    if (playing) {
      autoplay?.stop();
    } else {
      autoplay?.play();
    }
    setPlaying(!playing);
  };

  return (
    <div className="carousel">
      <section
        ref={viewport}
        className="carousel-viewport"
        aria-roledescription="carousel"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a row that scrolls has to be reachable by keyboard
        tabIndex={0}
      >
        <ul className="carousel-track">{children}</ul>
      </section>
      <button
        type="button"
        className="icon-button carousel-pause"
        aria-label={playing ? "Pause the carousel" : "Play the carousel"}
        onClick={toggle}
      >
        {playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
      </button>
    </div>
  );
}

function useEmbla(
  viewport: RefObject<HTMLElement | null>,
  autoplayMs: number,
  playAtStart: boolean,
): RefObject<EmblaCarouselType | null> {
  const embla = useRef<EmblaCarouselType | null>(null);
  const settings = useRef({ autoplayMs, playAtStart });
  useEffect(() => {
    let left = false;
    Promise.all([import("embla-carousel"), import("embla-carousel-autoplay")])
      .then(([{ default: createEmbla }, { default: createAutoplay }]) => {
        const element = viewport.current;
        if (left || element === null) {
          return;
        }
        const autoplay = createAutoplay({
          delay: settings.current.autoplayMs,
          stopOnInteraction: false,
          stopOnMouseEnter: true,
          stopOnFocusIn: true,
          playOnInit: settings.current.playAtStart,
        });
        element.classList.add("is-driven");
        embla.current = createEmbla(element, { loop: true, align: "start" }, [autoplay]);
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
