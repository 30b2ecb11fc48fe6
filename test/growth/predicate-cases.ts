/** Every predicate of every judge, over messages whose texts are hostile. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'graphql';
import { differencesOf, withoutVolatile } from '../../src/areas/bugs/judge/differences.js';
import { shows } from '../../src/areas/bugs/judge/shows.js';
import { challenges } from '../../src/areas/challenges/all-challenges.js';
import { judgeHits } from '../../src/areas/http/caching/judge-hits.js';
import type { Hit } from '../../src/areas/http/caching/resource.js';
import { jarVerdicts } from '../../src/areas/http/cookies/jar.js';
import { checkRules, judgeStream } from '../../src/areas/llm/judge/judge-relation.js';
import type { Relation, Sent } from '../../src/areas/llm/judge/relate.js';
import type { ToolResult } from '../../src/areas/llm/messages/conversation.js';
import { clientRules } from '../../src/areas/mcp/judge/all-rules.js';
import type { Observed } from '../../src/areas/mcp/judge/observed.js';
import { noMemory } from '../../src/areas/mcp/judge/remembered.js';
import type { Message } from '../../src/areas/mcp/messages/message.js';
import { isCursorOf } from '../../src/areas/mcp/model/pages.js';
import { judgeDelivery } from '../../src/areas/signing/verify-delivery.js';
import { redact } from '../../src/base/text/redact.js';
import { allDefects } from '../../src/defects/catalogue/all-defects.js';
import { SentResponse } from '../../src/defects/sent-response.js';
import type { Attempt } from '../../src/faults/plan/attempts.js';
import { judgeAttempts } from '../../src/faults/plan/judge-attempts.js';
import {
  type Exchanges,
  type ParsedElement,
  type ParsedMessage,
  Reply,
  Request,
} from '../../src/http/exchange.js';
import type { Exchange } from '../../src/kit/recording/exchange-record.js';

/** A text in every place of a message that a caller can fill. */
export interface Judged {
  readonly title: string;
  readonly judge: (text: string) => void;
}

/** An object that has every member, each with the same value. */
const everyMember = (value: unknown) =>
  new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_target, name) => (typeof name === 'string' ? value : undefined),
      has: () => true,
      getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value }),
    },
  );

const formOf = (text: string) => ({ get: () => text }) as unknown as ReadonlyMap<string, string>;

/** Has every parameter, and as many as a query of this text could have. */
function queryWith(text: string): URLSearchParams {
  const pairs = new URLSearchParams(text.replaceAll(' ', '&'));
  return Object.assign(pairs, { get: () => text, has: () => true });
}

function exchangeWith(text: string, parsed: ParsedMessage): Exchange {
  const headers = everyMember(text) as Exchange['headers'];
  return {
    ...{ requestId: 'a', method: 'POST', route: '/', path: `/${text}`, headers },
    shownPath: redact(`/${text}`),
    ...{ rawHeaders: ['A', text], httpVersion: '1.1', isReused: true, bodyBytes: text.length },
    bodyHash: text,
    query: queryWith(text),
    shownQuery: [],
    parsed,
    ...{ status: 200, responseHeaders: everyMember(text), responseBody: JSON.stringify(text) },
    ...{ responseBytes: 1, fault: text, atMs: 0, endMs: 0 },
  };
}

const elementOf = (name: string, children: readonly ParsedElement[], text = ''): ParsedElement => ({
  ...{ namespace: '', name, attributes: [{ name, value: text }], children, text },
});

type MakeMessage = (text: string) => ParsedMessage;

/** Parses once for all judges: they cost what they do with a parsed message. */
function once(keyOf: (text: string) => string | number, make: MakeMessage): MakeMessage {
  const made = new Map<string | number, ParsedMessage>();
  return (text) => {
    const key = keyOf(text);
    const message = made.get(key) ?? make(text);
    made.set(key, message);
    return message;
  };
}

const byText = (text: string) => text;
const byLength = (text: string) => text.length;

/** Messages of each format; a text of n characters becomes about n / 8 parts. */
const messages: Readonly<Record<string, MakeMessage>> = {
  texts: (text) => ({
    json: everyMember(text),
    form: formOf(text),
    xml: elementOf(text, [elementOf('intB', [], text), elementOf('countryCode', [], text)]),
  }),
  lists: once(byText, (text) => ({
    json: Array.from(text, (op) => ({ op })),
    xml: elementOf(
      'Envelope',
      Array.from(text, (name) => elementOf(name, [])),
    ),
  })),
  documents: once(byLength, ({ length }) => ({
    graphql: parse(
      `query A { ${'a: book(id: $id) @include(if: $a) { title } '.repeat(length / 44)} b }`,
    ),
  })),
  spreads: once(byLength, ({ length }) => ({
    graphql: parse(`query A { ${'...a '.repeat(length / 5)} b } fragment a on Book { id }`),
  })),
};

const judgedChallenges: readonly Judged[] = challenges.flatMap(({ id, steps }) =>
  Object.entries(messages).map(([format, parsed]) => ({
    title: `challenge ${id}, ${format}`,
    judge(text) {
      const exchange = exchangeWith(text, parsed(text));
      const memo = everyMember(text) as Record<string, string>;
      for (const { checks, keep, isDone } of steps) {
        for (const [holds] of checks) holds(exchange, memo);
        keep?.(exchange, memo);
        isDone?.(memo);
      }
    },
  })),
);

function observedWith(text: string, isStateless: boolean): Observed {
  const params = {
    ...{
      name: text,
      uri: text,
      cursor: text,
      requestState: text,
      inputResponses: { a: { a: text } },
    },
    _meta: {
      [text]: text,
      progressToken: text,
      traceparent: text,
      tracestate: text,
      baggage: text,
    },
    arguments: { [text]: text },
  };
  const sent: Message[] = [
    { kind: 'request', id: text, method: text, params },
    { kind: 'request', id: 1, method: 'tools/call', params },
    { kind: 'reply', id: text, result: everyMember(text) },
    { kind: 'notification', method: text, params },
  ];
  const requests = sent.filter((each) => each.kind === 'request');
  const before = {
    ...{ id: text, method: 'tools/call', target: text.slice(0, 100), atMs: 0 },
    ...{ call: 'a', connection: text },
  };
  return {
    httpMethod: 'POST',
    headers: everyMember(text) as Observed['headers'],
    query: { access_token: text },
    value: sent.map(({ kind: _, ...each }) => ({ jsonrpc: text, ...each })),
    messages: sent,
    requests,
    isBatch: true,
    revision: isStateless ? '2026-07-28' : '2025-03-26',
    isStateless,
    session: { id: text, client: { name: text }, isInitialized: true, capabilities: {} },
    isProtected: true,
    login: undefined,
    stepUp: undefined,
    schemaOf: () => ({ properties: { a: { type: 'string', 'x-mcp-header': text } } }),
    isOld: false,
    memory: {
      ...noMemory,
      exchanges: [{ ...before, isOpen: true, needsInput: true }],
      forbidden: 1,
      forms: [
        { key: text, schema: { type: 'object', properties: { [text]: { type: 'string' } } } },
      ],
      listed: [text],
    },
    isCursorOf,
    timeMs: 0,
    connection: text,
    connectionReused: true,
  };
}

const judgedMcp: readonly Judged[] = clientRules.flatMap(({ name, check }) =>
  [true, false].map((isStateless) => ({
    title: `rule of MCP ${name}${isStateless ? ', without sessions' : ''}`,
    judge: (text: string) => void check(observedWith(text, isStateless)),
  })),
);

function requestWith(text: string): Request {
  const names = [
    'authorization',
    'cookie',
    'content-type',
    'accept',
    'if-match',
    'prefer',
    'range',
  ];
  const headers = Object.fromEntries(names.map((name) => [name, text]));
  const url = `/api/Books/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}`;
  const raw = { method: 'POST', url, headers, rawHeaders: Object.entries(headers).flat() };
  const params = everyMember(text);
  const request = new Request(
    raw as unknown as IncomingMessage,
    'a',
    params,
    undefined,
    {} as Exchanges,
  );
  request.body = Object.fromEntries([['title', text], ...words(text).map((word) => [word, word])]);
  return request;
}

const words = (text: string) => text.slice(0, 500).split(' ');

/** The body of a response, or of a request before it is parsed. */
const bodiesWith = (text: string): readonly string[] => [
  text,
  JSON.stringify({ title: text, items: [{ title: text, name: text }], [text.slice(0, 100)]: text }),
];

const judgedDefects: readonly Judged[] = allDefects.map(({ id, before, body, input, after }) => ({
  title: `bug ${id}`,
  judge(text) {
    before?.(requestWith(text));
    input?.(requestWith(text));
    for (const bytes of bodiesWith(text)) {
      body?.(Buffer.from(bytes), requestWith(text));
      const request = requestWith(text);
      const headers = {
        etag: text,
        link: text,
        location: text,
        'content-type': 'application/json',
      };
      const raw = {
        statusCode: 200,
        getHeader() {},
        removeHeader() {},
      } as unknown as ServerResponse;
      after?.(new SentResponse(new Reply(raw, request, headers), bytes), request);
    }
  },
}));

/** Judges of what a sandbox has logged: as many entries as the text has parts of 16 characters. */
const many = <Entry>(text: string, make: (index: number) => Entry) =>
  Array.from({ length: Math.ceil(text.length / 16) }, (_, index) => make(index));

const judgedLogs: readonly Judged[] = [
  {
    title: 'verdict on retries',
    judge(text) {
      const attempts = many(text, (id) => ({
        id,
        attempt: {
          ...{ plan: 1, requestId: `${id}`, method: 'POST' },
          path: redact(text.slice(0, 500)),
          idempotencyKey: redact(text.slice(id % 7, 100)),
          ...{ key: text.slice(id % 7, 100), target: text, headers: text, isRepeatable: false },
          ...{ rule: 'a', fault: null },
          ...{ connectionReused: false, timeMs: id, respondedAtMs: id, isSuccess: id % 3 === 0 },
          body: text.slice(0, 20),
        } satisfies Attempt,
      }));
      judgeAttempts(attempts);
    },
  },
  {
    title: 'verdict on a cache',
    judge: (text) =>
      void judgeHits(
        many(text, (id): Hit => {
          const headers = { 'if-none-match': redact(text.slice(0, 200)) };
          const sent = { forbiddenBy: 'no-store' as const, isDated: true, tag: text.slice(0, 40) };
          const arrival = { timeMs: id, connectionReused: true };
          const times = { atMs: id, realMs: id, arrival, client: '' };
          return {
            requestId: `${id}`,
            method: 'GET',
            target: redact('/'),
            status: 200,
            headers,
            sent,
            ...times,
          };
        }),
      ),
  },
  {
    title: 'verdict on a cookie jar',
    judge: (text) =>
      void jarVerdicts({
        0: {
          sent: many(text, () => ({ name: text.slice(0, 50), value: text.slice(0, 50) })),
          requestId: 'a',
        },
      }),
  },
  {
    title: 'verdict on a client of language models',
    judge(text) {
      const result: ToolResult = { id: 'a', text };
      const parts = { requestId: 'a', turns: 1, digest: 'a', textLength: 1 };
      const broken = { name: 'cut-arguments', at: 'arguments', nature: 'broken' } as const;
      const relation: Relation = {
        kind: 'continuation',
        exchange: { ...parts, sent: 'a', respondedAtMs: 0, broken },
        ...({ isSame: false, continued: 'open', hasResult: true } as const),
        ofCut: [{ ...result, call: { id: 'a', result: 'Rain' } }],
      };
      const sent: Sent = {
        conversation: { turns: [] },
        ...{ sent: text, atMs: 0, arrival: { timeMs: 0, connectionReused: false } },
      };
      judgeStream(relation);
      checkRules(relation, sent, { isAutomatic: true, isWaitDemanded: true });
    },
  },
  {
    title: 'verdict on a delivery',
    judge: (text) => void judgeDelivery(everyMember(text) as never),
  },
  {
    title: 'report of a bug',
    judge(text) {
      const outcome = { status: 200, headers: { a: text }, body: { [text]: text }, state: [text] };
      const statements = [
        { parts: {}, text },
        { parts: { headers: { a: text }, body: [{ [text]: `${text}!` }] as const } },
      ];
      for (const names of [['headers', 'a'], ['body', text], ['body']]) {
        for (const statement of statements) {
          const place = { names, value: text, other: `${text}!`, isOfFew: true, isOpaque: false };
          shows(statement, place);
        }
      }
      withoutVolatile(differencesOf(outcome, { ...outcome, body: text }), new Set(['body']));
    },
  },
];

/** From the tables of the judges: a new challenge, rule or bug is here by itself. */
export const judges: readonly Judged[] = [
  ...judgedChallenges,
  ...judgedMcp,
  ...judgedDefects,
  ...judgedLogs,
];
