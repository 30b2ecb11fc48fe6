/**
 * Connects the standard streams to an MCP server at a URL: each line is a message (revision
 * 2026-07-28, stdio). Nothing else is written to the output.
 */

import { type EventReader, readEvents } from './read-events.js';

type JsonObject = Readonly<Record<string, unknown>>;

export interface Bridged {
  /** URL of the server. */
  readonly url: string;
  /** Lines of messages from the client. */
  readonly lines: AsyncIterable<string>;
  /** Writes a message to the client. */
  readonly write: (message: JsonObject) => void;
  readonly fetch?: typeof fetch;
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Members that headers mirror, by method. */
const nameSources: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

const safeValue = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const sentinel = /^=\?base64\?.*\?=$/;

/** Encodes a header that mirrors a member (revision 2026-07-28, Value Encoding). */
export function encodeHeader(value: string): string {
  if (safeValue.test(value) && !sentinel.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

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
  /** Headers of mirrored arguments, by tool; from the lists that the client has read. */
  readonly #mirrored = new Map<string, ReadonlyMap<string, readonly string[]>>();
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
    if (message.method === 'initialize') await sent;
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
    if (method !== undefined && id !== undefined) this.#open.set(key, controller);
    try {
      await this.#post(message, controller.signal);
    } catch (error) {
      if (controller.signal.aborted || id === undefined) return;
      this.#write(errorOf(id, -32603, `The server does not respond: ${(error as Error).message}`));
    } finally {
      this.#open.delete(key);
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
      await this.#forward(readEvents(response), message);
      return;
    }
    const text = await response.text();
    if (text !== '') this.#deliver(JSON.parse(text) as JsonObject, message);
  }

  /** Forwards messages; resumes a stream of a session that ended without the response. */
  async #forward(reader: EventReader, message: JsonObject): Promise<void> {
    let current = reader;
    for (;;) {
      const isComplete = await this.#forwardOnce(current, message);
      const { lastId, retryMs } = current;
      if (isComplete || this.#session === undefined || lastId === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      const headers = { ...this.#sessionHeaders(), 'Last-Event-ID': lastId };
      const signal = this.#closing.signal;
      current = readEvents(await this.#listen(headers, signal));
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

  #listen(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    return this.#fetch(this.#bridged.url, {
      headers: { ...headers, Accept: 'text/event-stream' },
      signal,
    });
  }

  #deliver(received: JsonObject, request: JsonObject | undefined): void {
    if (request?.method === 'initialize') this.#noteRevision(received);
    this.#noteTools(received);
    // A notification has no response, so an error about it has no id.
    if (request !== undefined && request.id === undefined) return;
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
    while (!signal.aborted) {
      try {
        const response = await this.#listen(this.#sessionHeaders(), signal);
        if (!response.ok) return;
        const reader = readEvents(response);
        for await (const data of reader.events) this.#write(JSON.parse(data) as JsonObject);
      } catch {
        if (signal.aborted) return;
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
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
    const name = given[nameSources[method] ?? ''];
    return {
      'MCP-Protocol-Version': version,
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': encodeHeader(name) }),
      ...(method === 'tools/call' && this.#argumentHeaders(given)),
    };
  }

  #argumentHeaders({ name, arguments: args }: JsonObject): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    for (const [header, path] of this.#mirrored.get(String(name)) ?? []) {
      const value = path.reduce<unknown>((at, key) => (at as JsonObject | undefined)?.[key], args);
      if (value !== undefined && value !== null) headers[header] = encodeHeader(String(value));
    }
    return headers;
  }

  /** A client of standard streams sends no headers, so the bridge mirrors arguments for it. */
  #noteTools({ result }: JsonObject): void {
    const { tools } = (result ?? {}) as JsonObject;
    if (!Array.isArray(tools)) return;
    for (const { name, inputSchema } of tools as readonly JsonObject[]) {
      this.#mirrored.set(String(name), new Map(mirroredIn(inputSchema as JsonObject, [])));
    }
  }

  #write(message: JsonObject): void {
    this.#bridged.write(message);
  }
}

function mirroredIn(
  schema: JsonObject | undefined,
  path: readonly string[],
): readonly (readonly [string, readonly string[]])[] {
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, JsonObject>);
  return properties.flatMap(([name, property]) => {
    const at = [...path, name];
    const header = property['x-mcp-header'];
    const here = typeof header === 'string' ? [[`Mcp-Param-${header}`, at] as const] : [];
    return [...here, ...mirroredIn(property, at)];
  });
}

function parseLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function errorOf(id: unknown, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message } };
}
