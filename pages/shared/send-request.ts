/** Sends the request of an example or of the console, and returns the response. */

import { addressOf } from './address-of.js';
import { withVisitor } from './visitor/visitor-headers.js';

export interface RequestToSend<Body extends string | File | FormData = string> {
  readonly method: string;
  /** From the root of the service, beginning with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly times: number;
  /** Cookie that the browser stores for the path, because scripts cannot send it. */
  readonly cookie?: string;
  /** Whether redirects are not followed; browsers hide them from scripts. */
  readonly staysHere?: boolean;
  /** Whether the browser sends and stores cookies. */
  readonly keepsCookies?: boolean;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly contentType: string;
  readonly text: string;
  readonly bytes: number;
  readonly durationMs: number;
  /** Whether the body was longer than the limit. */
  readonly isCut: boolean;
  /** Statuses of all responses, if the request was sent several times. */
  readonly statuses: readonly number[];
}

/** Reason phrases for responses without one, as over HTTP/2. */
const commonTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Streams may be endless. */
const maxBytes = 1024 * 1024;
const maxMs = 15_000;

/** Rejects if there was no response. */
export async function sendRequest(
  request: RequestToSend<string | File | FormData>,
): Promise<ReceivedResponse> {
  const statuses: number[] = [];
  const url = addressOf(request.path);
  for (;;) {
    const startedAt = performance.now();
    const response = await fetch(url, {
      method: request.method,
      headers: withVisitor(url, request.headers),
      body: request.body ?? null,
      // With credentials, a challenge would open the browser's login dialog.
      credentials: holdCookie(request) || request.keepsCookies ? 'same-origin' : 'omit',
      redirect: request.staysHere ? 'manual' : 'follow',
      cache: 'no-store',
    });
    const received = await readResponse(response, startedAt);
    statuses.push(response.status);
    if (statuses.length >= request.times) return { ...received, statuses };
  }
}

/** `startedAt` is by `performance.now()`. */
export async function readResponse(
  response: Response,
  startedAt: number,
): Promise<ReceivedResponse> {
  const { bytes, isCut } = await readBody(response);
  return {
    status: response.status,
    statusText: response.statusText || (commonTexts[response.status] ?? ''),
    headers: [...response.headers],
    contentType: response.headers.get('content-type') ?? '',
    text: new TextDecoder().decode(bytes),
    bytes: bytes.byteLength,
    isCut,
    durationMs: performance.now() - startedAt,
    statuses: [response.status],
  };
}

function holdCookie({ cookie, path }: Pick<RequestToSend, 'cookie' | 'path'>): boolean {
  if (cookie === undefined) return false;
  const { pathname } = new URL(addressOf(path));
  for (const each of cookie.split('; ')) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure origin
    document.cookie = `${each}; Path=${pathname}; Max-Age=10; SameSite=Strict`;
  }
  return true;
}

async function readBody({ body }: Response): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let isCut = false;
  const reader = body?.getReader();
  const timer = setTimeout(() => {
    isCut = true;
    void reader?.cancel();
  }, maxMs);
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    chunks.push(part.value);
    length += part.value.length;
    isCut ||= length > maxBytes;
    if (isCut) await reader?.cancel();
  }
  clearTimeout(timer);
  return { bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()), isCut };
}
