import { type Answer, addressOf, lostAnswer } from "@/api/calls";
import { unwrap } from "@/api/client";
import type { DataOf, FormOf, FormPath } from "@/api/operations";
import type { paths as ServerPaths } from "@/api/schema.gen";
import { Cancelled, isOffline, NoAnswer, OFFLINE } from "@/lib/live/failures";
import { session } from "@/lib/session/session";

const STALL_TIMEOUT_MS = 60_000;

interface UploadOptions {
  /** The values of the path's placeholders. */
  inPath?: object;
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Called with the uploaded share of the form, from 0 to 1. */
  onProgress?: (share: number) => void;
}

/**
 * Post a form as the signed-in member, with progress.
 *
 * The upload fails after a minute without progress, not after a fixed time: a slow network may need
 * long for four megabytes. `fetch` has no upload progress, so this uses XMLHttpRequest.
 *
 * Throws:
 *   Refusal: the server refused; its sentence is the message.
 *   NoAnswer: no response came, or none that could be read.
 *   Cancelled: `signal` was aborted, or the member who asked is no longer signed in.
 */
export function upload<Path extends FormPath>(
  path: Path,
  fields: FormOf<ServerPaths[Path]["post"]>,
  { inPath, idempotencyKey, signal, onProgress }: UploadOptions = {},
): Promise<Answer<DataOf<ServerPaths[Path]["post"]>>> {
  const token = session.read()?.userToken;
  return new Promise((resolve, reject) => {
    if (isOffline()) {
      reject(new NoAnswer(OFFLINE));
      return;
    }
    const request = new XMLHttpRequest();
    let silence: ReturnType<typeof setTimeout>;
    const expectMore = () => {
      clearTimeout(silence);
      silence = setTimeout(() => request.abort(), STALL_TIMEOUT_MS);
    };
    const cancel = () => request.abort();
    request.open("POST", addressOf(path, inPath ? { inPath } : {}));
    request.responseType = "json";
    request.setRequestHeader("Accept", "application/json");
    if (token !== undefined) {
      request.setRequestHeader("Authorization", `Bearer ${token}`);
    }
    if (idempotencyKey !== undefined) {
      request.setRequestHeader("Idempotency-Key", idempotencyKey);
    }
    request.upload.onprogress = ({ loaded, total }) => {
      expectMore();
      onProgress?.(total > 0 ? loaded / total : 0);
    };
    request.onload = () => {
      const { status, statusText } = request;
      const headers = { get: (name: string) => request.getResponseHeader(name) };
      const head = { ok: status >= 200 && status < 300, status, statusText, headers };
      try {
        resolve(unwrap(head, request.response, token));
      } catch (refusal) {
        reject(refusal);
      }
    };
    request.onerror = () => reject(lostAnswer(null, signal));
    request.onabort = () => reject(lostAnswer(null, signal));
    request.onloadend = () => {
      clearTimeout(silence);
      signal?.removeEventListener("abort", cancel);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted) {
      reject(new Cancelled());
      return;
    }
    expectMore();
    request.send(formOf(fields));
  });
}

/** The fields as a form, in order; undefined ones are left out. */
export function formOf(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields) as [string, string | File | undefined][]) {
    if (value instanceof File) {
      form.append(name, value, value.name);
    } else if (value !== undefined) {
      form.append(name, value);
    }
  }
  return form;
}
