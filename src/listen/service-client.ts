/** Requests to the service. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Options, UsageError } from './options.js';

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: its callers know the JSON of each endpoint
  readonly json: any;
}

/** A connection may be gone without a notice. */
const responseMs = 30_000;

/** Pauses for longer after each failure in a row. */
export async function pause(failures: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(200 * 2 ** failures, 3000);
  await sleep(ms, undefined, { signal }).catch(() => {});
}

export class ServiceClient {
  readonly #url: string;
  readonly #headers: Record<string, string> = {};

  constructor({ url, sandbox, key }: Pick<Options, 'url' | 'sandbox' | 'key'>) {
    this.#url = url;
    if (sandbox !== undefined) this.#headers['X-Sandbox'] = sandbox;
    if (key !== undefined) this.#headers['X-Service-Key'] = key;
  }

  open(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.#headers, ...(init.headers as Record<string, string>) };
    return fetch(this.#url + path, { ...init, headers, redirect: 'error' });
  }

  /** Rejects without a connection, without a response in time, and for a response that is not JSON. */
  async call(method: string, path: string, body?: object): Promise<ServiceResponse> {
    const given = body && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    };
    const signal = AbortSignal.timeout(responseMs);
    const response = await this.open(path, { method, signal, ...given });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, json: text === '' ? undefined : JSON.parse(text) };
  }

  /** Throws a UsageError for any failure. */
  async demand(method: string, path: string, body?: object): Promise<ServiceResponse> {
    const response = await this.call(method, path, body).catch((error: Error) => {
      const { cause = error } = error as { readonly cause?: { code?: string; message?: string } };
      const { code = error.message } = cause as { readonly code?: string };
      throw new UsageError(`No connection to ${this.#url}: ${code}.`);
    });
    if (response.status < 400) return response;
    throw new UsageError(String(response.json?.message));
  }

  /** Repeats a request until its response is not temporary, or `signal` is aborted. */
  async insist(method: string, path: string, body: object | undefined, signal: AbortSignal) {
    for (let failures = 0; !signal.aborted; failures++) {
      const response = await this.call(method, path, body).catch(() => undefined);
      const { status = 503 } = response ?? {};
      if (status < 500 && status !== 429) return response;
      await pause(failures, signal);
    }
    return undefined;
  }
}
