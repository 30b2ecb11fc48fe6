/** A response before it is written, as defects change it. */

import type { HeaderValue, Reply } from '#http/exchange.js';
import { jsonContentType } from '#http/http-error.js';

export class SentResponse {
  readonly #reply: Reply;
  #payload: unknown;

  constructor(reply: Reply, payload: unknown) {
    this.#reply = reply;
    this.#payload = payload;
  }

  get status(): number {
    return this.#reply.statusCode;
  }

  set status(status: number) {
    this.#reply.code(status);
  }

  header(name: string): string | undefined {
    const value = this.#reply.getHeader(name);
    return value === undefined ? undefined : String(value);
  }

  setHeader(name: string, value: HeaderValue): void {
    this.#reply.header(name, value);
  }

  removeHeader(name: string): void {
    this.#reply.removeHeader(name);
  }

  get payload(): unknown {
    return this.#payload;
  }

  get text(): string | undefined {
    const payload = this.#payload;
    if (typeof payload === 'string') return payload;
    return payload instanceof Uint8Array ? Buffer.from(payload).toString() : undefined;
  }

  set text(text: string) {
    this.#payload = text;
  }

  /** A copy of the JSON in the body; `undefined` if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a body can have any structure
  get json(): any {
    const { text } = this;
    try {
      if (text !== undefined) return JSON.parse(text);
      const payload = this.#payload as object | null | undefined;
      const isValue = Array.isArray(payload) || payload?.constructor === Object;
      return isValue ? JSON.parse(JSON.stringify(this.#payload)) : undefined;
    } catch {
      return undefined;
    }
  }

  set json(value: unknown) {
    const isIndented = this.text?.startsWith('{\n') || this.text?.startsWith('[\n');
    if (this.#reply.getHeader('content-type') === undefined) this.#reply.type(jsonContentType);
    this.#payload = JSON.stringify(value, undefined, isIndented ? 2 : undefined);
  }
}
