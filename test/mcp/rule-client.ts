/** A client that sends exactly what a rule is about, in a sandbox. */

import { expect } from 'vitest';
import { afterCrossing } from '../support/create-service.js';
import { send } from '../support/service.js';
import { type MessageOptions, openSession, request, type Session } from './mcp.js';

export type Message = object | readonly object[];

export const initialParams = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

const accept = 'application/json, text/event-stream';

type Headers = Readonly<Record<string, string | undefined>>;

export class RuleClient {
  readonly url: string;
  readonly prefix: string;
  #next = 1;

  constructor(url: string, sandbox: string) {
    this.url = url;
    this.prefix = `/s/${sandbox}`;
  }

  get path(): string {
    return `${this.prefix}/mcp`;
  }

  /** Sends a request of 2026-07-28. */
  async modern(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    change: MessageOptions = {},
  ) {
    const { path = '/mcp' } = change;
    await afterCrossing();
    return request(this, method, params, {
      id: this.#next++,
      ...change,
      path: this.prefix + path,
    });
  }

  /** Sends a request of 2026-07-28, and closes its response after `method` was noticed. */
  async openModern(
    method: string,
    params: Readonly<Record<string, unknown>>,
    change: MessageOptions = {},
    whileOpen: () => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    const stop = new AbortController();
    const response = request(this, method, params, {
      id: this.#next++,
      ...change,
      path: this.path,
      signal: stop.signal,
    });
    const ended = response.catch(() => undefined);
    const isOpen = async () => {
      const { json } = await this.send('GET /api/sandbox/mcp');
      return json.running + json.streams;
    };
    await expect.poll(isOpen).toBe(1);
    await whileOpen();
    stop.abort();
    await ended;
    await expect.poll(isOpen).toBe(0);
  }

  /** Sends a request of a session, and ends the session after `whileOpen`. */
  async openInSession(
    session: Session,
    message: object,
    whileOpen: () => Promise<unknown>,
  ): Promise<void> {
    const ended = session.send(message);
    const isRunning = async () => (await this.send('GET /api/sandbox/mcp')).json.running;
    await expect.poll(isRunning).toBe(1);
    await whileOpen();
    await session.end();
    await ended;
  }

  /** Begins a session. */
  session(revision = '2025-11-25', path = '/mcp'): Promise<Session> {
    return openSession(this, revision, { path: this.prefix + path });
  }

  /** Returns the path below the sandbox. */
  below(url: string): string {
    return new URL(url).pathname.slice(this.prefix.length);
  }

  initialize(params: object = {}, path = '/mcp') {
    const message = { jsonrpc: '2.0', id: 'i', method: 'initialize' };
    return this.post({ ...message, params: { ...initialParams, ...params } }, {}, path);
  }

  /** Sends requests without `notifications/initialized`. */
  async beginAndList(count = 2): Promise<void> {
    const { headers } = await this.initialize();
    const inSession = {
      'mcp-session-id': String(headers['mcp-session-id']),
      'mcp-protocol-version': '2025-11-25',
    };
    for (let id = 1; id <= count; id++) {
      await this.post({ jsonrpc: '2.0', id, method: 'tools/list' }, inSession);
    }
  }

  post(json: unknown, headers: Readonly<Record<string, string>> = {}, path = '/mcp') {
    return this.send(`POST ${path}`, { headers: { accept, ...headers }, json });
  }

  get(headers: Readonly<Record<string, string>>) {
    return this.send('GET /mcp', { headers: { accept: 'text/event-stream', ...headers } });
  }

  /** Sends a GET in a session, and closes its response after the head. */
  async listen(session: Session, headers: Headers = {}): Promise<void> {
    const stop = new AbortController();
    await fetch(this.url + this.path, {
      headers: { ...session.headers, accept: 'text/event-stream', ...headers },
      signal: stop.signal,
    });
    stop.abort();
  }

  /** Waits until a request is open. */
  async untilOpen(): Promise<void> {
    const isOpen = async () => {
      const { json } = await this.send('GET /api/sandbox/mcp');
      return json.running + json.streams;
    };
    await expect.poll(isOpen).toBe(1);
  }

  /** Opens a stream of 2024-11-05, sends messages without Accept, and closes the stream. */
  async oldSession(
    path: string,
    act: (send: (message: object) => Promise<unknown>) => Promise<unknown>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const stop = new AbortController();
    const headers = { accept: 'text/event-stream' };
    const stream = await fetch(this.url + this.prefix + path, { headers, signal: stop.signal });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    const [, messages = ''] = /^data: (.+)$/m.exec(Buffer.from(value ?? []).toString()) ?? [];
    await act(async (json) => {
      const { status } = await send(this.url, `POST ${messages}`, { json, headers: more });
      expect(status).toBe(202);
    });
    stop.abort();
  }

  /** Opens a stream of 2024-11-05, and returns its first event. */
  openOld(path: string): Promise<string> {
    return this.#readFirst(path);
  }

  /** Calls a tool, and returns the beginning of the stream. */
  beginning(path: string, params: object): Promise<string> {
    const method = 'tools/call';
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
    return this.#readFirst(path, {
      method: 'POST',
      headers: {
        accept,
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': 'greet',
      },
      body: JSON.stringify(message),
    });
  }

  async #readFirst(path: string, init: RequestInit = {}): Promise<string> {
    const stop = new AbortController();
    const url = this.url + this.prefix + path;
    const { body } = await fetch(url, { ...init, signal: stop.signal });
    const { value } = (await body?.getReader().read()) ?? {};
    stop.abort();
    return Buffer.from(value ?? []).toString();
  }

  /** Sends a request to a path of the sandbox. */
  async send(target: string, options: Parameters<typeof send>[2] = {}) {
    await afterCrossing();
    return send(this.url, target.replace(' ', ` ${this.prefix}`), options);
  }

  moveClock(offsetSeconds: number) {
    return this.send('PUT /api/sandbox/clock', { json: { offsetSeconds } });
  }

  misbehave(misbehave: string | null) {
    return this.send('PUT /api/sandbox/mcp', { json: { misbehave } });
  }

  /** Returns the token of a client without a user, for the protected address. */
  async token(): Promise<string> {
    const { json } = await this.send('POST /oidc/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'demo-service',
        client_secret: 'demo-service-secret-of-32-letters',
        scope: 'mcp:read',
        resource: `${this.url}${this.prefix}/mcp/protected`,
      }).toString(),
    });
    return json.access_token;
  }
}
