/**
 * Connects the standard streams to an MCP server at a URL: each line is a message (revision
 * 2026-07-28, stdio). Nothing else is written to the output.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from '#base/json-object.js';
import { argumentHeaders, encodeHeader, nameSources } from './mirrored-headers.js';
import { type EventReader, readEvents, usualRetryMs } from './read-events.js';

export interface Bridged {
  /** URL of the server. */
  readonly url: string;
  /** Lines of messages from the client. */
  readonly lines: AsyncIterable<string>;
  /** Writes a message to the client. */
  readonly write: (message: JsonObject) => void;
  readonly fetch?: typeof fetch;
}

/** Later messages are sent after these. */
const handshake = ['initialize', 'notifications/initialized'];

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Serves until the input ends; then cancels what is still running. */
export async function bridge(bridged: Bridged): Promise<void> {
  const state = new Bridge(bridged);
  for await (const line of bridged.lines) {
    if (line.trim() !== '') await state.receive(line);
  }
  await state.end();
}

class Bridge {
  readonly #bridged: Bridged;
  readonly #fetch: typeof fetch;
  /** Requests without a response so far, by their ids as JSON. */
  readonly #open = new Map<string, AbortController>();
  readonly #closing = new AbortController();
  /** By the names of the tools in the lists that the client has read. */
  readonly #schemas = new Map<string, JsonObject>();
  #session: { readonly id: string; readonly revision: string } | undefined;

  constructor(bridged: Bridged) {
    this.#bridged = bridged;
    this.#fetch = bridged.fetch ?? fetch;
  }

  /** Waits only for the handshake, because later messages need its session. */
  async receive(line: string): Promise<void> {
    const message = parseLine(line);
    if (message === undefined) {
      this.#write(errorOf(undefined, -32700, 'The line is no JSON object.'));
      return;
    }
    if (message.method === 'notifications/cancelled') this.#cancel(message);
    const sent = this.#send(message);
    if (handshake.includes(String(message.method))) await sent;
  }

  async end(): Promise<void> {
    this.#closing.abort();
    for (const controller of this.#open.values()) controller.abort();
    if (this.#session === undefined) return;
    const headers = this.#sessionHeaders();
    await this.#fetch(this.#bridged.url, { method: 'DELETE', headers }).catch(() => {});
  }

  /** In a session, the server also gets the notification; else closing the response cancels. */
  #cancel({ params }: JsonObject): void {
    const { requestId } = (params ?? {}) as JsonObject;
    if (this.#session === undefined) this.#open.get(JSON.stringify(requestId))?.abort();
  }

  async #send(message: JsonObject): Promise<void> {
    const { id, method } = message;
    const isCancelled = method === 'notifications/cancelled' && this.#session === undefined;
    if (isCancelled) return;
    const controller = new AbortController();
    const key = JSON.stringify(id);
    const isRequest = isRequestOf(message);
    if (isRequest) this.#open.set(key, controller);
    try {
      await this.#post(message, controller.signal);
    } catch (error) {
      if (controller.signal.aborted || !isRequest) return;
      this.#write(errorOf(id, -32603, `The server does not respond: ${(error as Error).message}`));
    } finally {
      if (isRequest) this.#open.delete(key);
    }
  }

  async #post(message: JsonObject, signal: AbortSignal): Promise<void> {
    const response = await this.#fetch(this.#bridged.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...this.#headersOf(message),
      },
      body: JSON.stringify(message),
      signal,
    });
    if (message.method === 'initialize') this.#begin(response);
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) {
      await this.#forward(readEvents(response, signal), message);
      return;
    }
    const text = await response.text();
    if (text !== '') this.#deliver(JSON.parse(text) as JsonObject, message);
  }

  /** Forwards messages; resumes a stream of a session that ended without the response. */
  async #forward(reader: EventReader, message: JsonObject): Promise<void> {
    let current = reader;
    let lastId: string | undefined;
    while (!(await this.#forwardOnce(current, message))) {
      lastId = current.lastId ?? lastId;
      if (this.#session === undefined || lastId === undefined) {
        throw new Error('the stream ended before the response.');
      }
      await sleep(current.retryMs);
      const response = await this.#listen({ ...this.#sessionHeaders(), 'Last-Event-ID': lastId });
      if (!response.ok) throw new Error(`the stream cannot be resumed: ${response.status}.`);
      current = readEvents(response, this.#closing.signal);
    }
  }

  async #forwardOnce(reader: EventReader, { id }: JsonObject): Promise<boolean> {
    let isDone = false;
    for await (const data of reader.events) {
      const received = JSON.parse(data) as JsonObject;
      this.#deliver(received, undefined);
      isDone ||= received.method === undefined && received.id === id;
    }
    return isDone;
  }

  #listen(headers: Readonly<Record<string, string>>): Promise<Response> {
    return this.#fetch(this.#bridged.url, {
      headers: { ...headers, Accept: 'text/event-stream' },
      signal: this.#closing.signal,
    });
  }

  #deliver(received: JsonObject, request: JsonObject | undefined): void {
    if (request?.method === 'initialize') this.#noteRevision(received);
    this.#noteTools(received);
    // Notifications and responses have no response, so an error about them has no id.
    if (request !== undefined && !isRequestOf(request)) return;
    this.#write(received);
  }

  #begin({ headers }: Response): void {
    const id = headers.get('mcp-session-id');
    if (id !== null) this.#session = { id, revision: '' };
  }

  /** Opens the stream for messages outside of calls. */
  #noteRevision({ result }: JsonObject): void {
    const { protocolVersion } = (result ?? {}) as JsonObject;
    if (this.#session === undefined || typeof protocolVersion !== 'string') return;
    this.#session = { ...this.#session, revision: protocolVersion };
    void this.#followMain();
  }

  async #followMain(): Promise<void> {
    const { signal } = this.#closing;
    let retryMs = usualRetryMs;
    let position = {};
    while (!signal.aborted) {
      try {
        const response = await this.#listen({ ...this.#sessionHeaders(), ...position });
        if (!response.ok) return;
        const reader = readEvents(response, signal);
        for await (const data of reader.events) {
          this.#write(JSON.parse(data) as JsonObject);
          if (reader.lastId !== undefined) position = { 'Last-Event-ID': reader.lastId };
        }
        retryMs = reader.retryMs;
      } catch {
        if (signal.aborted) return;
      }
      await sleep(retryMs);
    }
  }

  #sessionHeaders(): Readonly<Record<string, string>> {
    if (this.#session === undefined) return {};
    const { id, revision } = this.#session;
    return { 'Mcp-Session-Id': id, ...(revision !== '' && { 'MCP-Protocol-Version': revision }) };
  }

  #headersOf({ method, params }: JsonObject): Readonly<Record<string, string>> {
    const given = (params ?? {}) as JsonObject;
    const version = ((given._meta ?? {}) as JsonObject)[versionKey];
    if (typeof version !== 'string' || typeof method !== 'string') return this.#sessionHeaders();
    const name = given[nameSources.get(method) ?? ''];
    return {
      'MCP-Protocol-Version': version,
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': encodeHeader(name) }),
      ...(method === 'tools/call' && this.#argumentHeaders(given)),
    };
  }

  #argumentHeaders({ name, arguments: args }: JsonObject): Readonly<Record<string, string>> {
    const mirrored = argumentHeaders(this.#schemas.get(String(name)), args);
    return Object.fromEntries(
      mirrored.map(({ header, value }) => [header, encodeHeader(String(value))]),
    );
  }

  /** A client of standard streams sends no headers, so the bridge mirrors arguments for it. */
  #noteTools({ result }: JsonObject): void {
    const { tools } = (result ?? {}) as JsonObject;
    if (!Array.isArray(tools)) return;
    for (const { name, inputSchema } of tools as readonly JsonObject[]) {
      if (isObject(inputSchema)) this.#schemas.set(String(name), inputSchema);
    }
  }

  #write(message: JsonObject): void {
    this.#bridged.write(message);
  }
}

function parseLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Responses of the client have an id, too. */
const isRequestOf = ({ id, method }: JsonObject) => id !== undefined && method !== undefined;

function errorOf(id: unknown, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message } };
}
