/** Subscriptions and deliveries of one sandbox, for tests. */

import type { HttpResponse, SendOptions, TestService } from '../support/service.js';

export const path = '/api/webhooks/subscriptions';

export interface Hooks {
  readonly call: (target: string, json?: unknown) => Promise<HttpResponse>;
  /** Creates a subscription, and returns it with its secret. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the JSON
  readonly subscribe: (given?: object) => Promise<any>;
  /** Returns what is due, which stays due. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the JSON
  readonly due: (id: string, wait?: number) => Promise<any[]>;
  readonly report: (
    id: string,
    delivery: { readonly id: string; readonly attemptId?: string },
    status: number | null,
    more?: object,
  ) => Promise<HttpResponse>;
  /** Moves the clock of the sandbox to this many seconds ahead of the real time. */
  readonly advance: (seconds: number) => Promise<void>;
}

export function hooksOf({ send }: Pick<TestService, 'send'>, sandbox: string): Hooks {
  const headers = { 'X-Sandbox': sandbox };
  const call = (target: string, json?: unknown) =>
    send(target, { headers, ...(json !== undefined && { json }) } as SendOptions);
  return {
    call,
    async subscribe(given = {}) {
      const { status, json } = await call(`POST ${path}`, {
        ...{ events: ['*'], scheme: 'standard-webhooks' },
        ...given,
      });
      if (status !== 201) throw new Error(JSON.stringify(json));
      return json;
    },
    async due(id, wait = 0) {
      return (await call(`GET ${path}/${id}/deliveries?wait=${wait}&lease=0`)).json.deliveries;
    },
    report: (id, delivery, status, more = {}) =>
      call(`POST ${path}/${id}/deliveries/${delivery.id}/attempts`, {
        ...{ attemptId: delivery.attemptId, status, ms: 5 },
        ...more,
      }),
    async advance(seconds) {
      await call('PUT /api/sandbox/clock', { offsetSeconds: seconds });
    },
  };
}
