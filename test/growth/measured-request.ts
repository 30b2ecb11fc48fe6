/** Requests of growing size, and the exponent with which their cost grows. */

import { Agent, type IncomingMessage, request } from 'node:http';
import { growthOf } from '../support/growth.js';

export interface GrowingRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A request of about this many bytes. */
export type MakeRequest = (size: number) => GrowingRequest;

/** Starts with separate connections only, which the test must destroy at the end. */
export const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Measures client and server together: the work of the client grows linearly with the size. */
export function growthOfRequest(url: string, make: MakeRequest, largest: number): Promise<number> {
  return growthOf({ make, run: (made: GrowingRequest) => send(url, made), largest });
}

function send(url: string, { method, path, headers, body }: GrowingRequest): Promise<number> {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, method: method ?? 'GET', path, headers: { ...headers, ...length } },
      (response) => drain(response, resolve),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function drain(response: IncomingMessage, done: (status: number) => void): void {
  response.resume();
  response.on('end', () => done(response.statusCode ?? 0));
}

/** Repeats a text to about this many bytes. */
export const fill = (text: string, size: number): string =>
  text.repeat(Math.max(0, Math.floor(size / text.length)));

/** Makes this many items, at least none. */
export const list = (length: number, item: (index: number) => string): string[] =>
  Array.from({ length: Math.max(0, Math.floor(length)) }, (_, index) => item(index));

/** Makes a short name that no other index has. */
export const name = (index: number): string => `n${index.toString(36)}`;
