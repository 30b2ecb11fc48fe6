/** Sends the requests of a script of a challenge, see docs/contributing/add-a-challenge.md. */

import { createHash, createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { authenticateByDigest } from '../support/authenticate-by-digest.js';
import type { HttpResponse, SendOptions } from '../support/service.js';
import { envelope, operation, versions } from '../support/soap.js';

export interface Caller {
  readonly send: (target: string, options: SendOptions) => Promise<HttpResponse>;
  /** Opens a WebSocket, and closes it after the response. */
  readonly upgrade: (path: string, headers: Readonly<Record<string, string>>) => Promise<void>;
  /** Moves the clock of the service, which moves only by this call. */
  readonly wait: (ms: number) => void;
}

const none: HttpResponse = {
  ...{ status: 0, headers: {}, rawHeaders: [], bytes: Buffer.alloc(0), text: '', json: {} },
};

/** A request as it was sent, and its response. */
export interface Sent {
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: SendOptions['body'];
  readonly response: HttpResponse;
}

/** Sends the requests one after the other, and returns them. */
export async function runScript(script: string, caller: Caller): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  for (const each of script.split(' && ')) {
    const responses = sent.map(({ response }) => response);
    const [sentTarget = '', ...parts] = expand(each, responses).split(' | ');
    // Some members of responses are whole URLs.
    const target = sentTarget.replace(/^(\S+ )https?:\/\/[^/]+/, '$1');
    const [verb = '', place = ''] = target.split(' ');
    const { headers, options } = messageOf(parts);
    if (verb === 'wait') caller.wait(Number(place));
    // For a report about a request that is not sent.
    else if (verb === 'report') {
      sent.push({ target: target.slice(verb.length + 1), ...options, headers, response: none });
    } else if (verb === 'upgrade') {
      await caller.upgrade(place, Object.fromEntries(headers));
      sent.push({ target, headers, response: none });
    } else {
      const response = await caller.send(target, { headers, ...options });
      sent.push({ target, ...options, headers, response });
    }
  }
  return sent;
}

/** Fills in what earlier responses have, then what is computed. */
function expand(text: string, responses: readonly HttpResponse[]): string {
  return text
    .replaceAll(/\{(\d+)\.([\w-]+(?:\.[\w-]+)*)\}/g, (_all, number: string, what: string) =>
      readFrom(responses[Number(number) - 1] ?? none, what.split('.')),
    )
    .replaceAll('<<now>>', String(Math.floor(Date.now() / 1000)))
    .replaceAll(/<<(\w+) (.*?)>>/g, (_all, name: string, given: string) =>
      compute(name, given, responses),
    );
}

function readFrom(response: HttpResponse, [kind = '', ...path]: readonly string[]): string {
  const { headers, text } = response;
  const location = headers.location ?? '';
  if (kind === 'text') return text;
  if (kind === 'json') return String(path.reduce((value, name) => value?.[name], response.json));
  if (kind === 'cookie') return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
  if (kind === 'path') return location.replace(/^https?:\/\/[^/]+/, '');
  if (kind === 'query') {
    const parameters = location.split(/[?#]/).slice(1).join('&');
    return new URLSearchParams(parameters).get(path[0] ?? '') ?? '';
  }
  if (kind === 'next') {
    return /<https?:\/\/[^/]+([^>]+)>; rel="next"/.exec(String(headers.link))?.[1] ?? '';
  }
  return String(headers[kind] ?? '');
}

function compute(name: string, given: string, responses: readonly HttpResponse[]): string {
  const [first = '', ...rest] = given.split(' ');
  if (name === 'base64') return Buffer.from(given).toString('base64');
  if (name === 'encode') return encodeURIComponent(given);
  if (name === 'sha256') return createHash('sha256').update(given).digest('hex');
  if (name === 'hmac') return createHmac('sha256', first).update(rest.join(' ')).digest('hex');
  const [username = '', password = '', uri = ''] = rest;
  const challenge = responses[Number(first) - 1]?.headers['www-authenticate'] ?? '';
  return authenticateByDigest(challenge, { username, password, uri });
}

interface Message {
  readonly headers: readonly (readonly [string, string])[];
  readonly options: SendOptions;
}

const formType = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
const jsonType = ['Content-Type', 'application/json'] as const;

function messageOf(parts: readonly string[]): Message {
  const given = parts.filter((part) => /^[\w-]+: /.test(part));
  const headers = given.map((part) => {
    const [name = '', ...value] = part.split(': ');
    return [name, value.join(': ')] as const;
  });
  const bodies = parts.filter((part) => !given.includes(part));
  if (bodies.length === 0) return { headers, options: {} };
  const { type, body } = bodyOf(bodies);
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return {
    headers: type === undefined || isTyped ? headers : [...headers, type],
    options: { body },
  };
}

interface Body {
  readonly type?: readonly [string, string];
  readonly body: string | Uint8Array;
}

function bodyOf([first = '', second = '']: readonly string[]): Body {
  const space = first.indexOf(' ');
  const [kind, rest] = [first.slice(0, space), first.slice(space + 1)];
  if (kind === 'form') return { type: formType, body: rest };
  if (kind === 'text') return { body: rest };
  if (kind === 'gzip') return { body: gzipSync(rest) };
  if (kind === 'gql') {
    const more = second === '' ? {} : JSON.parse(second.slice('with '.length));
    return { type: jsonType, body: JSON.stringify({ query: rest, ...more }) };
  }
  if (kind === 'soap11' || kind === 'soap12') {
    const version = kind === 'soap11' ? '1.1' : '1.2';
    const [name = '', ...pairs] = rest.split(' ');
    const values = Object.fromEntries(pairs.filter(Boolean).map((pair) => pair.split('=', 2)));
    const head = second === '' ? '' : `<e:Header>${second.slice('head '.length)}</e:Header>`;
    const body = envelope(version, operation(name, values), head);
    return { type: ['Content-Type', versions[version].contentType], body };
  }
  return first.startsWith('<') ? { body: first } : { type: jsonType, body: first };
}
