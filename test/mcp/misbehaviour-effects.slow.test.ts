/** Each misbehaviour changes the responses of its methods and revisions, and no others. */

import { expect, test } from 'vitest';
import { caseOf, queryNames } from '../../src/areas/mcp/misbehaviour/misbehaviours.js';
import { lazily } from '../../src/base/lazily.js';
import { useService } from '../support/service.js';
import { initialParams, RuleClient } from './rule-client.js';

const service = useService();

type Kind = 'sessions' | 'stateless';

const hello = { name: 'greet', arguments: { name: 'Ada' } };

/** Methods of each kind of revision, with their parameters. */
const requests: Readonly<Record<Kind, Readonly<Record<string, object>>>> = {
  stateless: { 'server/discover': {}, 'tools/list': {}, 'tools/call': hello, 'prompts/list': {} },
  sessions: {
    ping: {},
    'tools/list': {},
    'tools/call': hello,
    'prompts/list': {},
    initialize: initialParams,
  },
};

/** The stream of revision 2024-11-05, which has no method. */
const oldStream = 'the endpoint event';

/** A GET of a session. */
const newStream = 'the stream of a session';

interface Post {
  readonly method: string;
  readonly params: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns what a client can notice; of a stream, only its first part, because it may not end. */
async function shownOf(url: string, init: RequestInit): Promise<string> {
  const stop = new AbortController();
  const response = await fetch(url, { ...init, signal: stop.signal });
  const type = String(response.headers.get('content-type'));
  const isStream = type.startsWith('text/event-stream');
  const text = isStream ? await firstPartOf(response) : await response.text();
  if (isStream) stop.abort();
  const shown = text.replace(/sessionId=[\w-]+/, 'sessionId=(id)');
  return JSON.stringify([response.status, type, response.headers.has('retry-after'), shown]);
}

async function firstPartOf({ body }: Response): Promise<string> {
  const { value } = (await body?.getReader().read()) ?? {};
  return Buffer.from(value ?? []).toString();
}

/** Sends requests to a server that misbehaves, or not. */
class Prober {
  readonly #client: RuleClient;
  readonly #query: string;

  constructor(sandbox: string, misbehaviour?: string) {
    this.#client = new RuleClient(service.url, sandbox);
    this.#query = misbehaviour === undefined ? '' : `?misbehave=${misbehaviour}`;
  }

  #post({ method, params, headers = {} }: Post): Promise<string> {
    return shownOf(this.#client.url + this.#client.path + this.#query, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'a', method, params }),
    });
  }

  #stateless(method: string, params: object): Promise<string> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
    const named = 'name' in params ? { ...headers, 'mcp-name': String(params.name) } : headers;
    return this.#post({ method, params: { ...params, _meta }, headers: named });
  }

  /** Returns what each request shows. */
  async all(kind: Kind): Promise<readonly (readonly [string, string])[]> {
    // The session begins without the misbehaviour.
    const headers = kind === 'sessions' ? (await this.#client.session()).headers : {};
    const shown = Object.entries(requests[kind]).map(async ([method, params]) => {
      const isInSession = kind === 'sessions' && method !== 'initialize';
      const sent =
        kind === 'stateless'
          ? this.#stateless(method, params)
          : this.#post({ method, params, ...(isInSession && { headers }) });
      return [`${kind} ${method}`, await sent] as const;
    });
    return Promise.all(shown);
  }

  /** Opens the stream of a session that began without the misbehaviour. */
  async newStream(): Promise<string> {
    const { url, prefix } = this.#client;
    const { headers } = await this.#client.session();
    const accept = 'text/event-stream';
    const shown = await shownOf(`${url}${prefix}/mcp${this.#query}`, {
      headers: { ...headers, accept },
    });
    return shown.replace(/main-[\da-f]+_\d+/, '(id)');
  }

  async oldStream(): Promise<string> {
    const { url, prefix } = this.#client;
    return (await shownOf(`${url}${prefix}/mcp/sse${this.#query}`, {})).replace(prefix, '');
  }
}

/** Uses a sandbox for each kind, because some misbehaviours count requests. */
async function shownBy(misbehaviour?: string): Promise<ReadonlyMap<string, string>> {
  const proberOf = (kind: string) => new Prober(`${kind}-${misbehaviour}`, misbehaviour);
  return new Map([
    ...(await proberOf('stateless').all('stateless')),
    ...(await proberOf('sessions').all('sessions')),
    [newStream, await proberOf('new').newStream()],
    [oldStream, await proberOf('old').oldStream()],
  ]);
}

const whenRight = lazily(() => shownBy());

/** Returns the requests that a misbehaviour says it is about. */
function placesOf(name: (typeof queryNames)[number]): readonly string[] {
  const { methods, only, endpoint, listen } = caseOf(name);
  const places = (['stateless', 'sessions'] as const).flatMap((kind) =>
    only === undefined || only === kind
      ? Object.keys(requests[kind])
          .filter((method) => methods.includes(method))
          .map((method) => `${kind} ${method}`)
      : [],
  );
  const streams = [...(listen ? [newStream] : []), ...(endpoint ? [oldStream] : [])];
  return [...places, ...streams];
}

test.each(queryNames)('%s acts where it says', async (name) => {
  const places = placesOf(name);
  expect(places).not.toEqual([]);
  const sent = Object.values(requests).flatMap((each) => Object.keys(each));
  expect(sent).toEqual(expect.arrayContaining([...caseOf(name).methods]));
  const right = await whenRight();
  const wrong = await shownBy(name);
  const changed = [...right].filter(([place, shown]) => wrong.get(place) !== shown);
  expect(changed.map(([place]) => place)).toEqual(places);
});
