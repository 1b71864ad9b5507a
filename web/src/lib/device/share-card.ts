import { packJpeg } from "@/lib/device/canvas";
import { cardTexts, type Shared, type Sharer, shortLink } from "@/lib/device/sharing";
import { clubPair, readableOn } from "@/lib/format/colours";
import { CREST_SIDE, LETTERS, RING, SHIELD, SHIELD_HALF } from "@/lib/format/crest-shape";
import { crestLetters } from "@/lib/format/names";

/** Share cards: drawn on the phone, from loaded data. */

export const CARD = { width: 1080, height: 1350, maxBytes: 200 * 1024 };

const MARGIN = 80;
const INNER = CARD.width - 2 * MARGIN;
const STAND = { top: 1110, colour: "#0F1A15", text: "#FFFFFF", accent: "#FFC62E" };
const SCARF = { top: 1070, height: 40, stripe: 60 };
const CREST = 184;
const NAME_BASELINE = 1010;
/** The positions of label, figure and detail, centred between head and name. */
const BODY = { top: 290, bottom: 930 };
const BEHIND = { alpha: 0.08, x: 420, y: 190, side: 860 };
const MIN_PIXELS = 32;

type Face = "display" | "text";
const FONTS: Record<Face, string> = {
  display: "'Big Shoulders', 'Display stand-in', sans-serif",
  text: "'Noto Sans', 'Text stand-in', sans-serif",
};

interface Line {
  text: string;
  x: number;
  y: number;
  face: Face;
  /** The maximum height; a longer text is smaller. */
  pixels: number;
  width: number;
  colour: string;
}

/** Load a card's fonts in advance. */
export async function prepareFonts(sharer: Sharer, shared: Shared): Promise<void> {
  const words = [sharer.name, sharer.clubName, ...Object.values(cardTexts(shared))].join(" ");
  await Promise.all([
    document.fonts?.load(fontOf("display", MIN_PIXELS), words),
    document.fonts?.load(fontOf("text", MIN_PIXELS), words),
  ]);
}

/** The card as a JPEG of 1080×1350 and at most 200 kB; null if the browser cannot write one. */
export async function drawCard(sharer: Sharer, shared: Shared): Promise<File | null> {
  const canvas = document.createElement("canvas");
  canvas.width = CARD.width;
  canvas.height = CARD.height;
  const context = canvas.getContext("2d");
  if (context === null) {
    return null;
  }
  draw(context, sharer, shared);
  const jpeg = await packJpeg(canvas, CARD.maxBytes);
  const name = `king-of-fans-${shared.kind}.jpg`;
  return jpeg === null ? null : new File([jpeg], name, { type: "image/jpeg" });
}

function draw(context: CanvasRenderingContext2D, sharer: Sharer, shared: Shared): void {
  const [first, second] = clubPair(sharer.colours);
  const ink = readableOn(first);
  context.fillStyle = first;
  context.fillRect(0, 0, CARD.width, CARD.height);
  drawBehind(context, ink);
  drawHead(context, sharer, ink);
  drawBody(context, shared, ink);
  drawName(context, sharer, ink);
  drawScarf(context, first, second);
  drawStand(context, sharer);
}

/** A large, faint shield in the background. */
function drawBehind(context: CanvasRenderingContext2D, ink: string): void {
  context.save();
  context.globalAlpha = BEHIND.alpha;
  context.translate(BEHIND.x, BEHIND.y);
  context.scale(BEHIND.side / CREST_SIDE, BEHIND.side / CREST_SIDE);
  context.fillStyle = ink;
  context.fill(new Path2D(SHIELD));
  context.restore();
}

function drawHead(context: CanvasRenderingContext2D, sharer: Sharer, ink: string): void {
  const left = MARGIN + CREST + 36;
  const width = CARD.width - MARGIN - left;
  drawCrest(context, sharer, ink);
  write(context, {
    text: sharer.clubName,
    x: left,
    y: 176,
    face: "display",
    pixels: 84,
    width,
    colour: ink,
  });
  write(context, {
    text: "King of Fans",
    x: left,
    y: 236,
    face: "text",
    pixels: 38,
    width,
    colour: ink,
  });
}

/** The crest as in the app, on a plate: a shield in the club's colours needs contrast. */
function drawCrest(context: CanvasRenderingContext2D, sharer: Sharer, ink: string): void {
  const [first, second] = clubPair(sharer.colours);
  context.save();
  context.fillStyle = ink;
  fillPill(context, MARGIN, MARGIN, CREST, CREST, 36);
  context.translate(MARGIN + CREST * 0.08, MARGIN + CREST * 0.08);
  context.scale((CREST * 0.84) / CREST_SIDE, (CREST * 0.84) / CREST_SIDE);
  context.fillStyle = first;
  context.fill(new Path2D(SHIELD));
  context.fillStyle = second;
  context.fill(new Path2D(SHIELD_HALF));
  context.beginPath();
  context.arc(RING.x, RING.y, RING.radius, 0, 2 * Math.PI);
  context.fillStyle = first;
  context.fill();
  context.lineWidth = RING.stroke;
  context.strokeStyle = ink;
  context.stroke();
  context.fillStyle = ink;
  context.textAlign = "center";
  context.font = fontOf("display", LETTERS.size);
  context.fillText(crestLetters(sharer.clubName), LETTERS.x, LETTERS.y);
  context.restore();
}

function drawBody(context: CanvasRenderingContext2D, shared: Shared, ink: string): void {
  const { label, figure, detail } = cardTexts(shared);
  const max = { face: "display", pixels: 400, width: INNER } as const;
  const pixels = fittingPixels(context, { text: figure, ...max });
  const labelHeight = 52;
  const figureHeight = pixels * 0.78; // of capitals and digits
  const gap = 44;
  const detailHeight = detail === undefined ? 0 : gap + 52;
  const height = labelHeight + gap + figureHeight + detailHeight;
  const top = BODY.top + (BODY.bottom - BODY.top - height) / 2;
  const line = { x: MARGIN, width: INNER, colour: ink };
  const figureAt = top + labelHeight + gap + figureHeight;
  write(context, { ...line, text: label, y: top + labelHeight, face: "text", pixels: 52 });
  write(context, { ...line, ...max, text: figure, y: figureAt });
  if (detail !== undefined) {
    const y = figureAt + detailHeight;
    write(context, { ...line, text: detail, y, face: "text", pixels: 52 });
  }
}

function drawName(context: CanvasRenderingContext2D, sharer: Sharer, ink: string): void {
  const mark = { width: 220, height: 68 };
  const width = sharer.planName ? INNER - mark.width - 32 : INNER;
  const name = { text: sharer.name, x: MARGIN, y: NAME_BASELINE, colour: ink };
  write(context, { ...name, face: "display", pixels: 76, width });
  if (!sharer.planName) {
    return;
  }
  const left = CARD.width - MARGIN - mark.width;
  context.fillStyle = STAND.accent;
  fillPill(context, left, NAME_BASELINE - 58, mark.width, mark.height, mark.height / 2);
  context.textAlign = "center";
  write(context, {
    text: sharer.planName,
    x: left + mark.width / 2,
    y: NAME_BASELINE - 11,
    face: "text",
    pixels: 38,
    width: mark.width - 40,
    colour: STAND.colour,
  });
  context.textAlign = "start";
}

function drawScarf(context: CanvasRenderingContext2D, first: string, second: string): void {
  for (let left = 0, stripe = 0; left < CARD.width; left += SCARF.stripe, stripe += 1) {
    context.fillStyle = stripe % 2 === 0 ? second : first;
    context.fillRect(left, SCARF.top, SCARF.stripe, SCARF.height);
  }
}

function drawStand(context: CanvasRenderingContext2D, { link }: Sharer): void {
  context.fillStyle = STAND.colour;
  context.fillRect(0, STAND.top, CARD.width, CARD.height - STAND.top);
  const line = { x: MARGIN, width: INNER };
  write(context, {
    ...line,
    text: "Get Connected Get Rewarded",
    y: 1216,
    face: "display",
    pixels: 80,
    colour: STAND.text,
  });
  const address = { text: shortLink(link), y: 1288, colour: STAND.accent };
  write(context, { ...line, ...address, face: "text", pixels: 42 });
}

function fillPill(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
): void {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
  context.fill();
}

function write(context: CanvasRenderingContext2D, line: Line): void {
  context.font = fontOf(line.face, fittingPixels(context, line));
  context.fillStyle = line.colour;
  context.fillText(line.text, line.x, line.y, line.width);
}

/** The height of a text: as wanted, or as it fits; below the minimum it is narrowed instead. */
function fittingPixels(
  context: CanvasRenderingContext2D,
  { text, face, pixels, width }: Pick<Line, "text" | "face" | "pixels" | "width">,
): number {
  context.font = fontOf(face, pixels);
  const fitting = (pixels * width) / Math.max(context.measureText(text).width, 1);
  return Math.max(Math.min(pixels, Math.floor(fitting)), MIN_PIXELS);
}

function fontOf(face: Face, pixels: number): string {
  return `${face === "display" ? 800 : 600} ${pixels}px ${FONTS[face]}`;
}
