/**
 * Names that every JavaScript object has, such as `constructor`, are names like others: wherever a caller may send one, the
 * response has the same status as for a name that means nothing.
 */

import { Agent, request } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
afterAll(() => agent.destroy());

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Endpoints that respond by chance, or hold the request. */
const isLeftOut = /unstable|random|RateLimit|\/oidc\/authorize|stream|drip|delay|sse|hang/;

/** Returns calls that have a name in each place where the operation accepts one; the parameters of the path have it too. */
function callsWith(name: string, method: string, path: string, operation: Operation): Call[] {
  const { parameters = [], requestBody } = operation;
  const inQuery = parameters.filter((each) => each.in === 'query');
  const inHeaders = parameters.filter((each) => each.in === 'header' && each.name !== 'X-Sandbox');
  const schema = requestBody?.content?.['application/json']?.schema as
    | { readonly properties?: object }
    | undefined;
  const members = Object.keys(schema?.properties ?? {});
  const bodies =
    schema === undefined
      ? []
      : [
          `{"${name}":1}`,
          JSON.stringify(Object.fromEntries(members.map((member) => [member, name]))),
          ...members.map((member) => JSON.stringify({ [member]: name })),
          ...members.map((member) => `{"${member}":{"${name}":1}}`),
          ...members.map((member) => `{"${member}":["${name}"]}`),
        ];
  const headers = { 'Content-Type': 'application/json', 'X-Sandbox': 'object-names' };
  return [
    { method, path: `${path}?${name}=1` },
    ...inQuery.map((each) => ({ method, path: `${path}?${each.name}=${name}` })),
    ...inHeaders.map((each) => ({ method, path, headers: { [each.name]: name } })),
    ...bodies.map((body) => ({ method, path, headers, body })),
  ];
}

/** Returns the status, and reads no endless body. */
function statusOf({ method, path, headers = {}, body = '' }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const all = { ...headers, 'Content-Length': Buffer.byteLength(body) };
    const sent = request(service.url + path, { method, agent, headers: all }, (response) => {
      resolve(response.statusCode ?? 0);
      if (response.headers['content-length'] === undefined) response.destroy();
      else response.resume();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test.each(['constructor', '__proto__'])(
  '%s is no known name',
  async (name) => {
    const { json } = await service.send('GET /openapi.json?formats=all');
    const resolve = (value: Parameter): Parameter =>
      value.$ref
        ?.split('/')
        .slice(1)
        .reduce((at, part) => at[part], json) ?? value;
    const operations = Object.entries(json.paths).filter(([path]) => !isLeftOut.test(path));
    const faults: string[] = [];
    for (const [path, item] of operations) {
      for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
        const whole = { ...operation, parameters: (operation.parameters ?? []).map(resolve) };
        const of = (each: string) => {
          const filled = path.replace(/\{[^}]+\}/g, each);
          return callsWith(each, method.toUpperCase(), filled, whole);
        };
        const [odd, plain] = [of(name), of('q'.repeat(name.length))];
        for (const [place, call] of odd.entries()) {
          const status = await statusOf(call);
          const usual = await statusOf(plain[place] as Call);
          const isFault = status !== usual || status >= 500;
          if (isFault)
            faults.push(
              `${call.method} ${call.path} ${call.body ?? JSON.stringify(call.headers ?? '')}: ${status}, ${usual}`,
            );
        }
      }
    }
    expect(faults).toEqual([]);
  },
  300_000,
);
