/** Defects of GraphQL, SOAP, JSON-RPC and webhook signatures. */

import { isUtf8 } from 'node:buffer';
import type { Request } from '#http/exchange.js';
import { isMembers } from '../change-request.js';
import { defectsOf, type SentRequest } from '../defect.js';

/** Swaps the operands of Subtract, whatever the prefix of their namespace. */
function swapOperands(text: string): string {
  if (!/<(?:[\w.-]+:)?Subtract[\s>]/.test(text)) return text;
  return text.replaceAll(
    /(<\/?(?:[\w.-]+:)?int)([AB])(?=[\s>])/g,
    (_all, start, name) => start + (name === 'A' ? 'B' : 'A'),
  );
}

/** The body as a JSON library writes it again; unchanged if it is not JSON in UTF-8. */
function rewritten(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) return bytes;
  try {
    return Buffer.from(JSON.stringify(JSON.parse(bytes.toString())));
  } catch {
    return bytes;
  }
}

/** The bodies that were to be signed, and those that were. */
const sentBodies = new WeakMap<Request, { readonly sent: string; readonly signed: string }>();

function deliveryTimeOf({ raw }: Request): number | undefined {
  const { 'webhook-timestamp': plain, 'stripe-signature': stripe } = raw.headers;
  const text = typeof plain === 'string' ? plain : /(?:^|,)t=(\d{1,12})/.exec(String(stripe))?.[1];
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) * 1000 : undefined;
}

/** Reads the todo that a mutation names. */
function shownByTodo({ body }: SentRequest) {
  const [, id = '1'] = /toggleTodo[^(]{0,20}\([^)]{0,100}?(\d{1,9})/.exec(body.toString()) ?? [];
  return { target: `/api/Todos/${id}` };
}

export const protocolDefects = defectsOf('Protocols', {
  'graphql-error-is-200': {
    level: 'junior',
    kind: 'status',
    endpoints: ['POST /graphql'],
    wrong: 'A rejected document gets status 200 as application/graphql-response+json.',
    right: 'A rejected document gets 400, unless Accept prefers application/json.',
    after(response) {
      if (response.status === 400) response.status = 200;
    },
  },
  'graphql-toggle-lost': {
    level: 'middle',
    kind: 'stored-data',
    endpoints: ['POST /graphql'],
    wrong: 'toggleTodo returns the changed todo, but does not store it.',
    right: 'Changes of mutations are stored.',
    stores: ['/graphql', '/api/Todos', '/api/Users'],
    shownBy: shownByTodo,
    state: () => ({
      write(write) {
        const isChange = write.space === 'collection:todos' && isMembers(write.value);
        return isChange ? undefined : write;
      },
    }),
  },
  'graphql-null-with-error': {
    level: 'junior',
    kind: 'protocol',
    endpoints: ['POST /graphql'],
    wrong: 'A user that does not exist also causes an error.',
    right: 'A record that does not exist is null, without errors.',
    after(response) {
      const { json } = response;
      if (json?.data?.user !== null || json.errors !== undefined) return;
      const errors = [{ message: 'Cannot read properties of undefined.', path: ['user'] }];
      response.json = { errors, ...json };
    },
  },
  'soap-subtract-swapped': {
    level: 'junior',
    kind: 'protocol',
    endpoints: ['POST /api/soap/calculator'],
    wrong: 'Subtract returns intB - intA.',
    right: 'Subtract returns intA - intB.',
    body: (bytes) => Buffer.from(swapOperands(bytes.toString('latin1')), 'latin1'),
  },
  'soap-fault-is-200': {
    level: 'junior',
    kind: 'status',
    endpoints: ['POST /api/soap/calculator'],
    wrong: 'A fault of SOAP 1.1 has status 200.',
    right: 'A fault of SOAP 1.1 has status 500.',
    after(response) {
      const isSoap11 = response.header('content-type')?.startsWith('text/xml');
      if (response.status === 500 && isSoap11) response.status = 200;
    },
  },
  'soap-country-by-case': {
    level: 'junior',
    kind: 'protocol',
    endpoints: ['POST /api/soap/countries'],
    wrong: 'GetCountryInfo does not find a country code in lower case.',
    right: 'The country code is compared case-insensitively.',
    body: (bytes) =>
      Buffer.from(
        bytes
          .toString('latin1')
          .replace(/(<(?:[\w.-]+:)?countryCode(?:\s[^<>]*)?>\s*)([a-z]{2})(\s*<)/, '$1-$3'),
        'latin1',
      ),
  },
  'rpc-unknown-method': {
    level: 'junior',
    kind: 'protocol',
    endpoints: ['POST /api/jsonrpc'],
    wrong: 'An unknown method gets the error code -32600.',
    right: 'An unknown method gets -32601.',
    after(response) {
      const { json } = response;
      if (json?.error?.code !== -32601) return;
      response.json = { ...json, error: { ...json.error, code: -32600 } };
    },
  },
  'rpc-batch-without-errors': {
    level: 'junior',
    kind: 'protocol',
    endpoints: ['POST /api/jsonrpc'],
    wrong: 'In a batch, the responses to failed calls are missing.',
    right: 'A batch has a response for each call that is not a notification.',
    after(response) {
      const { json } = response;
      if (!Array.isArray(json)) return;
      response.json = json.filter((each) => each?.error === undefined);
    },
  },
  'webhook-verified-as-parsed': {
    level: 'junior',
    kind: 'protocol',
    endpoints: ['POST /api/webhooks/verify/:provider'],
    wrong: 'Verifies the signature over the parsed JSON instead of the bytes of the body.',
    right: 'The signature is over the exact bytes of the body.',
    body: rewritten,
  },
  'webhook-signed-as-parsed': {
    level: 'junior',
    kind: 'protocol',
    endpoints: ['POST /api/webhooks/samples/:provider'],
    wrong: 'Signs the parsed JSON instead of the bytes of the body.',
    right: 'The signature is over the exact bytes of the body.',
    body(bytes, request) {
      const signed = rewritten(bytes);
      sentBodies.set(request, { sent: bytes.toString(), signed: signed.toString() });
      return signed;
    },
    after(response, request) {
      const { sent, signed } = sentBodies.get(request) ?? {};
      const { json } = response;
      // The caller sees the sent body, so that the signature does not match it.
      if (json?.body === signed && sent !== signed) response.json = { ...json, body: sent };
    },
  },
  'webhook-old-delivery': {
    level: 'junior',
    kind: 'authentication',
    endpoints: ['POST /api/webhooks/verify/:provider'],
    wrong: 'A delivery with an old timestamp is valid, so that it can be replayed.',
    right: 'A delivery that is older than five minutes is not valid.',
    state(request) {
      const timeMs = deliveryTimeOf(request);
      return { now: (nowMs) => timeMs ?? nowMs };
    },
  },
});
