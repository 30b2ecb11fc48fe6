/** Load whose every effect is counted, so that lost and duplicated effects show. */

import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';

export interface Effects {
  /** Attempts: a token refreshed concurrently, a window filled, a bin filled. */
  rounds: number;
  /** Requests that got 5xx or no response. */
  failed: number;
  /** Effects that the client cannot know, because the response failed. */
  uncertain: number;
  /** Effects that were acknowledged, or due, and are missing. */
  lost: number;
  /** Effects that happened more often than allowed. */
  doubled: number;
}

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a round knows its response
  readonly json: any;
}

interface FilledBin {
  readonly sandbox: string;
  readonly id: string;
  readonly acknowledged: readonly string[];
}

const refreshersAtOnce = 4;
const windowLimit = 5;
const windowCallers = 8;
const capturesPerBin = 40;
const capturesAtOnce = 8;
const binsPerSandbox = 10;

export class Workload {
  readonly refreshes = noEffects();
  readonly windows = noEffects();
  readonly captures = noEffects();
  /** Failures, by status or error, for the report. */
  readonly failures = new Map<string, number>();
  readonly #baseUrl: string;
  readonly #agent = new Agent({ connections: 64, pipelining: 1 });
  readonly #bins: FilledBin[] = [];
  readonly #workers: Promise<void>[] = [];
  #isRunning = true;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Repeats each kind of round, with this many workers, until {@link stop}. */
  start(workersPerKind: number): void {
    const rounds = [() => this.#refresh(), () => this.#fillWindow(), () => this.#fillBin()];
    for (const round of rounds) {
      for (let worker = 0; worker < workersPerKind; worker++) {
        this.#workers.push(this.#repeat(round));
      }
    }
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#workers);
  }

  /** Looks for every acknowledged capture; the service must be healthy again. */
  async checkCaptures(): Promise<void> {
    for (const { sandbox, id, acknowledged } of this.#bins) {
      const { status, json } = await this.#send('GET', `/api/webhooks/bins/${id}/requests`, {
        sandbox,
      });
      const found = new Map<string, number>();
      for (const { body } of status === 200 ? json : []) {
        found.set(body, (found.get(body) ?? 0) + 1);
      }
      for (const body of acknowledged) if (!found.has(body)) this.captures.lost += 1;
      for (const times of found.values()) this.captures.doubled += times - 1;
    }
    await this.#agent.close();
  }

  async #repeat(round: () => Promise<void>): Promise<void> {
    while (this.#isRunning) await round();
  }

  /** Exactly one of several concurrent uses of a refresh token succeeds. */
  async #refresh(): Promise<void> {
    const effects = this.refreshes;
    const user = { username: 'user', password: 'user-secret' };
    const login = await this.#send('POST', '/api/auth/jwt/login', { json: user, effects });
    if (login.status !== 200) return;
    effects.rounds += 1;
    const json = { refreshToken: login.json.refreshToken };
    const replies = await together(refreshersAtOnce, () =>
      this.#send('POST', '/api/auth/jwt/refresh', { json, effects }),
    );
    const winners = replies.filter(({ status }) => status === 200).length;
    if (winners > 1) effects.doubled += winners - 1;
    if (winners === 0) effects[replies.some(isFailure) ? 'uncertain' : 'lost'] += 1;
  }

  /** The window serves exactly the allowed number of more callers. */
  async #fillWindow(): Promise<void> {
    const effects = this.windows;
    const client = randomUUID();
    effects.rounds += 1;
    const replies = await together(windowCallers, () =>
      this.#send('GET', '/api/RateLimit', { client, effects }),
    );
    const passed = replies.filter(({ status }) => status === 200).length;
    const failed = replies.filter(isFailure).length;
    if (passed > windowLimit) effects.doubled += passed - windowLimit;
    const missing = Math.max(0, windowLimit - passed);
    const uncertain = Math.min(missing, failed);
    effects.uncertain += uncertain;
    effects.lost += missing - uncertain;
  }

  /** Every capture that a bin acknowledged exists later, once. */
  async #fillBin(): Promise<void> {
    const effects = this.captures;
    const sandbox = `chaos-${Math.floor(this.#bins.length / binsPerSandbox)}`;
    const made = await this.#send('POST', '/api/webhooks/bins', { sandbox, json: {}, effects });
    if (made.status !== 201) return;
    effects.rounds += 1;
    const acknowledged: string[] = [];
    for (let sent = 0; sent < capturesPerBin; sent += capturesAtOnce) {
      await together(capturesAtOnce, async () => {
        const body = randomUUID();
        const path = `/api/webhooks/${made.json.id}`;
        const { status } = await this.#send('POST', path, { body, effects });
        if (status === 200) acknowledged.push(body);
        else effects.uncertain += 1;
      });
    }
    this.#bins.push({ sandbox, id: made.json.id, acknowledged });
  }

  /** Status 0 means no response. */
  async #send(
    method: 'GET' | 'POST',
    path: string,
    options: {
      readonly json?: unknown;
      readonly body?: string;
      readonly sandbox?: string;
      readonly client?: string;
      readonly effects?: Effects;
    },
  ): Promise<Reply> {
    const { json, sandbox, client, effects } = options;
    const body = json === undefined ? options.body : JSON.stringify(json);
    const headers = {
      ...(body !== undefined && { 'content-type': json ? 'application/json' : 'text/plain' }),
      ...(sandbox && { 'x-sandbox': sandbox }),
      ...(client && { 'x-client-id': client }),
    };
    const reply = await this.#exchange(method, path, headers, body);
    if (isFailure(reply) && effects !== undefined) {
      effects.failed += 1;
      const what = reply.status === 0 ? String(reply.json) : String(reply.status);
      this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
    }
    return reply;
  }

  async #exchange(
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<Reply> {
    try {
      const dispatcher = this.#agent;
      const options = { method, headers, dispatcher, ...(body !== undefined && { body }) };
      const response = await request(this.#baseUrl + path, options);
      const text = await response.body.text();
      const isJson = /json/.test(String(response.headers['content-type']));
      return { status: response.statusCode, json: isJson ? JSON.parse(text) : text };
    } catch (error) {
      return { status: 0, json: (error as NodeJS.ErrnoException).code ?? String(error) };
    }
  }
}

function noEffects(): Effects {
  return { rounds: 0, failed: 0, uncertain: 0, lost: 0, doubled: 0 };
}

function isFailure({ status }: Reply): boolean {
  return status === 0 || status >= 500;
}

function together<Result>(times: number, act: () => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: times }, act));
}
