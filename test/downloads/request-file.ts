/**
 * Parses and sends a file of requests in the dialect of VS Code's REST Client. It is strict: syntax
 * outside the dialect is an error.
 */

import { authenticateByDigest } from '../support/authenticate-by-digest.js';
import { type HttpResponse, send } from '../support/service.js';

export interface FileRequest {
  readonly title: string;
  readonly name: string;
  /** The response that a comment promises. */
  readonly statuses: readonly number[];
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

export interface RequestFile {
  readonly variables: Readonly<Record<string, string>>;
  readonly requests: readonly FileRequest[];
}

export function parseRequestFile(text: string): RequestFile {
  const [head = '', ...blocks] = text.split(/^(?=###)/m);
  const variables: Record<string, string> = {};
  for (const line of head.split('\n')) {
    if (line === '' || line.startsWith('# ')) continue;
    const [, name, value] = matched(/^@(\w+) = (.*)$/, line);
    variables[name] = value;
  }
  return { variables, requests: blocks.map(parseBlock) };
}

function parseBlock(block: string): FileRequest {
  const [first = '', ...rest] = block.trimEnd().split('\n');
  const [, title] = matched(/^### (\S.*)$/, first);
  const comments = rest.filter((line) => line.startsWith('#'));
  const [, statuses] = matched(/^# Responds with (\d{3}(?: or \d{3})*)\.$/m, comments.join('\n'));
  const [, name] = matched(/^# @name (\w+)$/m, comments.join('\n'));
  const lines = rest.slice(comments.length);
  const [, method, url] = matched(/^([A-Z]+) (\S+)$/, lines[0] ?? '');
  const end = lines.indexOf('');
  const headers = lines.slice(1, end === -1 ? undefined : end).map((line) => {
    const [, header, value] = matched(/^([\w-]+): (.*)$/, line);
    return [header, value] as const;
  });
  const body = end === -1 ? undefined : lines.slice(end + 1).join('\n');
  return { title, name, statuses: statuses.split(' or ').map(Number), method, url, headers, body };
}

function matched(pattern: RegExp, text: string): [string, string, string] {
  const found = pattern.exec(text);
  if (found === null) throw new Error(`${text} is not as ${pattern} says.`);
  return [found[0], found[1] ?? '', found[2] ?? ''];
}

/** Sends requests in order, and keeps cookies and responses. */
export class RequestFileRunner {
  readonly #variables: Readonly<Record<string, string>>;
  readonly #responses = new Map<string, HttpResponse>();
  readonly #cookies = new Map<string, string>();

  constructor(variables: Readonly<Record<string, string>>) {
    this.#variables = variables;
  }

  async run({ name, method, url, headers, body }: FileRequest): Promise<HttpResponse> {
    const address = new URL(this.#filled(url));
    const target = `${method} ${address.pathname}${address.search}`;
    const filled = headers.map(([header, value]) => [header, this.#filled(value)] as const);
    const options = (authorization?: string) => ({
      headers: [
        ...filled.filter(([header]) => header !== 'Authorization'),
        ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
        ...this.#cookieHeader(filled),
      ],
      ...(body !== undefined && { body: this.#filled(body) }),
    });
    const written = filled.find(([header]) => header === 'Authorization')?.[1];
    const [scheme, username = '', password = ''] = written?.split(' ') ?? [];
    let response: HttpResponse;
    if (scheme === 'Digest') {
      const challenge = (await send(address.origin, target, options())).headers['www-authenticate'];
      const uri = address.pathname + address.search;
      const authorization = authenticateByDigest(challenge ?? '', {
        username,
        password,
        method,
        uri,
      });
      response = await send(address.origin, target, options(authorization));
    } else {
      const isPair = scheme === 'Basic' && password !== '';
      const pair = Buffer.from(`${username}:${password}`).toString('base64');
      response = await send(address.origin, target, options(isPair ? `Basic ${pair}` : written));
    }
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [, cookieName, value] = matched(/^([^=]+)=([^;]*)/, cookie);
      this.#cookies.set(cookieName, value);
    }
    this.#responses.set(name, response);
    return response;
  }

  #cookieHeader(headers: readonly (readonly [string, string])[]): [string, string][] {
    if (this.#cookies.size === 0 || headers.some(([name]) => name === 'Cookie')) return [];
    return [['Cookie', [...this.#cookies].map((pair) => pair.join('=')).join('; ')]];
  }

  #filled(text: string): string {
    return text.replace(/\{\{(.*?)\}\}/g, (_, expression) => this.#value(expression));
  }

  #value(expression: string): string {
    const known = this.#variables[expression];
    if (known !== undefined) return known;
    const [, name, part] = matched(/^(\w+)\.response\.(.+)$/, expression);
    const response = this.#responses.get(name);
    if (response === undefined)
      throw new Error(`${name} has not been sent when ${expression} is used.`);
    if (part.startsWith('headers.')) return String(response.headers[part.slice(8).toLowerCase()]);
    const steps = [...part.slice('body.$'.length).matchAll(/\.(\w+)|\['([^']+)'\]/g)];
    const value = steps.reduce(
      (node, [, plain, quoted]) => node[plain ?? quoted ?? ''],
      response.json,
    );
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Error(`${expression} is ${JSON.stringify(value)}.`);
    }
    return String(value);
  }
}
