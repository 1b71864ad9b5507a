import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

/** A file for `setInputFiles`. */
export interface Clip {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

let recorded: string | null = null;

/** A WebM of 1.5 seconds of a ball crossing a pitch, recorded once by a page's browser. */
export async function recordedClip(page: Page): Promise<Clip> {
  recorded ??= await page.evaluate(recordPitch);
  const base64 = recorded;
  return { name: "goal.webm", mimeType: "video/webm", buffer: Buffer.from(base64, "base64") };
}

/** Runs in the page. */
async function recordPitch(): Promise<string> {
  const canvas = document.createElement("canvas");
  canvas.width = 360;
  canvas.height = 480;
  const pitch = canvas.getContext("2d") as CanvasRenderingContext2D;
  const recorder = new MediaRecorder(canvas.captureStream(15), {
    mimeType: "video/webm;codecs=vp8",
    videoBitsPerSecond: 500_000,
  });
  const chunks: Blob[] = [];
  recorder.ondataavailable = ({ data }) => chunks.push(data);
  const stopped = new Promise((resolve) => {
    recorder.onstop = resolve;
  });
  const draw = (seconds: number) => {
    for (let row = 0; row < 8; row += 1) {
      pitch.fillStyle = row % 2 === 0 ? "#276b44" : "#2e7d4f";
      pitch.fillRect(0, row * 60, 360, 60);
    }
    pitch.strokeStyle = "#fff";
    pitch.lineWidth = 4;
    pitch.strokeRect(60, -4, 240, 120);
    pitch.fillStyle = "#fff";
    pitch.beginPath();
    pitch.arc(60 + 110 * seconds, 400 - 150 * seconds, 20, 0, 2 * Math.PI);
    pitch.fill();
  };
  const startedAt = performance.now();
  draw(0);
  recorder.start();
  await new Promise<void>((resolve) => {
    const step = () => {
      const seconds = (performance.now() - startedAt) / 1000;
      draw(seconds);
      if (seconds < 1.5) {
        requestAnimationFrame(step);
      } else {
        resolve();
      }
    };
    step();
  });
  recorder.stop();
  await stopped;
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** A phone's MP4 of exactly this size: the sample of the server's tests, padded. */
export function clipOf(sizeBytes: number): Clip {
  const video = readFileSync("../tests/community/moments/samples/phone.mp4");
  const room = Buffer.alloc(sizeBytes - video.length);
  room.writeUInt32BE(room.length, 0);
  room.write("free", 4, "latin1");
  return { name: "match.mp4", mimeType: "video/mp4", buffer: Buffer.concat([video, room]) };
}

/** A picture far above the server's limit: a PNG of noise, drawn by the page's browser. */
export async function hugePicture(page: Page): Promise<Clip> {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 2400;
    canvas.height = 1600;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const noise = context.createImageData(canvas.width, canvas.height);
    let state = 1;
    for (let place = 0; place < noise.data.length; place += 1) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      noise.data[place] = place % 4 === 3 ? 255 : 60 + ((state >> 16) % 120);
    }
    context.putImageData(noise, 0, 0);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  return { name: "crowd.png", mimeType: "image/png", buffer: Buffer.from(base64, "base64") };
}
