/** Sends a delivery to the receiver. */

import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface ForwardedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly closeEarly?: boolean;
}

export interface ForwardResult {
  /** Null without a response. */
  readonly status: number | null;
  readonly ms: number;
  readonly error?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Bytes of a response that are read; then its connection is closed. */
const maxReadBytes = 64 * 1024;
const maxHeaders = 40;
const maxValueLength = 200;
const maxHeaderLength = 6000;
/** Time for the request to arrive before its connection is closed early. */
const arrivalMs = 100;

/** Never rejects. */
export function forward(url: URL, sent: ForwardedRequest, timeoutMs: number) {
  const startMs = performance.now();
  const { bodyBase64, body: text = '', closeEarly } = sent;
  const body = bodyBase64 === undefined ? Buffer.from(text) : Buffer.from(bodyBase64, 'base64');
  return new Promise<ForwardResult>((resolve) => {
    const end = (result: Omit<ForwardResult, 'ms'>) =>
      resolve({ ...result, ms: Math.round(performance.now() - startMs) });
    const fail = (error: string) => end({ status: null, error: printable(error) });
    try {
      const request = url.protocol === 'https:' ? requestHttps : requestHttp;
      const headers = { ...sent.headers, 'Content-Length': String(body.length) };
      const outgoing = request(url, { method: 'POST', headers, agent: false });
      const cutAfter = (ms: number, error: string) =>
        setTimeout(() => {
          fail(error);
          outgoing.destroy();
        }, ms);
      const timer = cutAfter(timeoutMs, 'timeout');
      outgoing.on('close', () => clearTimeout(timer));
      outgoing.on('error', ({ message }) => fail(message));
      outgoing.on('response', (response) => {
        discard(response);
        if (closeEarly) return;
        clearTimeout(timer);
        end({ status: response.statusCode ?? null, headers: headersOf(response) });
      });
      if (closeEarly) {
        outgoing.on('finish', () => cutAfter(arrivalMs, 'closed before the response'));
      }
      outgoing.end(body);
    } catch (error) {
      fail((error as Error).message);
    }
  });
}

/** Reads the beginning of a body, so that a short one ends as usual. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxReadBytes) response.destroy();
  });
}

/** Returns the short headers, with printable values. */
function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  let length = 0;
  const kept = Object.entries(headers)
    .slice(0, maxHeaders)
    .map(([name, value]) => [printable(name), printable(String(value))] as const)
    .filter(([name, value]) => {
      length += name.length + value.length + 6;
      return name.length <= 100 && length <= maxHeaderLength;
    });
  return Object.fromEntries(kept);
}

/** Replaces everything that could control a terminal. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, maxValueLength);
}
