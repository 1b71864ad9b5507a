/** One frame of a WebSocket (RFC 6455, 5.2), not compressed. */
export interface Frame {
  bytes: Buffer;
  head: Buffer;
  payload: Buffer;
  /** The unmasked payload. */
  text: string;
}

const MASKED = 128;
const MASK_BYTES = 4;
const LONG = 126;
const LONGER = 127;
const END_OF_HEAD = "\r\n\r\n";

/** Cuts the bytes of one direction of a connection into frames. */
export class Frames {
  #waiting = Buffer.alloc(0);
  #inHead: boolean;

  /** `afterHead`: the answer to the upgrade comes first; it passes as a frame without text. */
  constructor({ afterHead = false } = {}) {
    this.#inHead = afterHead;
  }

  *read(bytes: Buffer): Generator<Frame> {
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    for (;;) {
      const frame = this.#inHead ? readHead(this.#waiting) : readFrame(this.#waiting);
      if (frame === null) {
        return;
      }
      this.#inHead = false;
      this.#waiting = this.#waiting.subarray(frame.bytes.length);
      yield frame;
    }
  }
}

function readHead(bytes: Buffer): Frame | null {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0) {
    return null;
  }
  const head = bytes.subarray(0, end + END_OF_HEAD.length);
  return { bytes: head, head, payload: Buffer.alloc(0), text: "" };
}

function readFrame(bytes: Buffer): Frame | null {
  const lengths = readLengths(bytes);
  if (lengths === null || bytes.length < lengths.head + lengths.payload) {
    return null;
  }
  const end = lengths.head + lengths.payload;
  const head = bytes.subarray(0, lengths.head);
  const payload = bytes.subarray(lengths.head, end);
  return { bytes: bytes.subarray(0, end), head, payload, text: clearText(head, payload) };
}

/** The length of head and payload; null while the head is incomplete. */
function readLengths(bytes: Buffer): { head: number; payload: number } | null {
  if (bytes.length < 2) {
    return null;
  }
  const short = bytes.readUInt8(1) % MASKED;
  const further = { [LONG]: 2, [LONGER]: 8 }[short] ?? 0;
  const head = 2 + further + (isMasked(bytes) ? MASK_BYTES : 0);
  if (bytes.length < head) {
    return null;
  }
  const payload =
    further === 0 ? short : Number.parseInt(bytes.toString("hex", 2, 2 + further), 16);
  return { head, payload };
}

function isMasked(bytes: Buffer): boolean {
  return bytes.readUInt8(1) >= MASKED;
}

function clearText(head: Buffer, payload: Buffer): string {
  if (!isMasked(head)) {
    return payload.toString();
  }
  const mask = head.subarray(-MASK_BYTES);
  return Buffer.from(payload.map((byte, at) => byte ^ (mask[at % MASK_BYTES] ?? 0))).toString();
}
