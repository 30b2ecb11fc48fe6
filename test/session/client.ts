import { expect } from 'vitest';
import { alan } from '../../src/http/credentials/practice-users.js';
import { totpAt } from '../../src/http/credentials/totp.js';
import type { HttpResponse, TestService } from '../support/service.js';

export const path = '/api/auth/session';

export type Fields = Readonly<Record<string, string>>;

/** A client in a sandbox that keeps cookies, as a browser does. */
export class Client {
  readonly prefix: string;
  readonly #service: TestService;
  #jar = new Map<string, string>();

  constructor(service: TestService, sandbox: string) {
    this.#service = service;
    this.prefix = `/s/${sandbox}`;
  }

  get cookie(): string {
    return [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async send(target: string, more: { json?: unknown; headers?: Fields; body?: string } = {}) {
    const [method, below] = target.split(' ');
    const headers = { ...(this.cookie !== '' && { Cookie: this.cookie }), ...more.headers };
    const response = await this.#service.send(`${method} ${this.prefix}${path}${below}`, {
      ...more,
      headers,
    });
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.#jar.delete(name);
      else this.#jar.set(name, value);
    }
    return response;
  }

  logIn(username: string, more: object = {}): Promise<HttpResponse> {
    return this.send('POST /login', {
      json: { username, password: `${username}-secret`, ...more },
    });
  }

  form(target: string, fields: Fields, headers: Fields = {}): Promise<HttpResponse> {
    return this.send(`POST ${target}`, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  }

  async csrf(): Promise<string> {
    return (await this.send('GET /csrf')).json.csrfToken;
  }

  async clock(offsetSeconds: number): Promise<void> {
    const set = await this.#service.send(`PUT ${this.prefix}/api/sandbox/clock`, {
      json: { offsetSeconds },
    });
    expect(set.status).toBe(200);
  }

  async status(target = 'GET /me'): Promise<number> {
    return (await this.send(target)).status;
  }

  /** The code for now, and for `steps` half minutes later. */
  async code(steps = 0): Promise<string> {
    const { now } = (await this.#service.send(`GET ${this.prefix}/api/sandbox/clock`)).json;
    return totpAt(alan.totpSecret ?? '', Date.parse(now) + steps * 30_000);
  }
}
