/**
 * Journeys through front ends that use json-server, at its paths here and at json-server itself.
 */

import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { type FrontEnd, frontEnds, type Step } from './json-server-front-ends.js';
import { serveByJsonServer } from './serve-by-json-server.js';

/** The collections of all front ends have different names. */
const data = Object.assign({}, ...frontEnds.map((each) => each.data));

const tokens = (header: unknown) =>
  String(header ?? '')
    .toLowerCase()
    .split(/\s*,\s*/);

/**
 * Sends requests as a browser does for a page of another origin: CORS decides which headers it
 * reads.
 */
class Page {
  readonly #origin: string;
  readonly #base: string;

  constructor(base: string, origin: string) {
    this.#base = base;
    this.#origin = origin;
  }

  async send(target: string, given: Readonly<Record<string, string>>, json: object | undefined) {
    const body = json && { 'Content-Type': 'application/json' };
    const headers = { ...body, ...given };
    const [method = ''] = target.split(' ');
    const notSimple = Object.keys(headers).filter((name) => name.toLowerCase() !== 'accept');
    if (!/^(?:GET|POST)$/.test(method) || notSimple.length > 0) {
      await this.#preflight(target, notSimple);
    }
    const response = await this.#request(target, {
      headers: { ...headers, origin: this.#origin },
      ...(json && { body: JSON.stringify(json) }),
    });
    expect(['*', this.#origin]).toContain(response.headers['access-control-allow-origin']);
    const exposed = tokens(response.headers['access-control-expose-headers']);
    const isReadable = exposed.includes('x-total-count') || exposed.includes('*');
    const total = response.headers['x-total-count'];
    return {
      status: response.statusCode,
      text: await response.body.text(),
      total: isReadable && total !== undefined ? Number(total) : undefined,
    };
  }

  #request(target: string, options: Parameters<typeof request>[1]) {
    const [method = '', path = ''] = target.split(' ');
    return request(this.#base + path, { ...options, method: method as 'GET' });
  }

  async #preflight(target: string, names: readonly string[]): Promise<void> {
    const [method = '', path = ''] = target.split(' ');
    const asked = names.map((name) => name.toLowerCase()).sort();
    const { statusCode, headers, body } = await this.#request(`OPTIONS ${path}`, {
      headers: {
        origin: this.#origin,
        'access-control-request-method': method,
        ...(asked.length > 0 && { 'access-control-request-headers': asked.join(',') }),
      },
    });
    await body.dump();
    expect(statusCode, `the preflight of ${target}`).toBeLessThan(300);
    expect(['*', this.#origin]).toContain(headers['access-control-allow-origin']);
    expect(tokens(headers['access-control-allow-methods'])).toContain(method.toLowerCase());
    const allowed = tokens(headers['access-control-allow-headers']);
    expect(asked.filter((name) => !allowed.includes(name) && !allowed.includes('*'))).toEqual([]);
  }
}

type Seen = Awaited<ReturnType<Page['send']>>;

/** Sends the requests of all steps, and returns what the page reads. */
async function travel(base: string, frontEnd: FrontEnd): Promise<Seen[]> {
  const page = new Page(base, frontEnd.origin);
  const seen: Seen[] = [];
  for (const step of frontEnd.steps) {
    const headers = { ...frontEnd.headers, ...step.headers };
    const response = await page.send(step.request, headers, step.json);
    judge(step, response);
    seen.push(response);
  }
  return seen;
}

function judge({ user, request, status = 200, body, ids, total }: Step, seen: Seen): void {
  const label = `${user}: ${request}`;
  expect(seen.status, label).toBe(status);
  const json = JSON.parse(seen.text);
  if (body !== undefined) expect(json, label).toMatchObject(body as object);
  if (ids !== undefined) {
    expect(
      json.map(({ id }: { readonly id: unknown }) => id),
      label,
    ).toEqual(ids);
  }
  if (total !== undefined) expect(seen.total, label).toBe(total);
}

const named = frontEnds.map((each) => [each.name, each] as const);

async function startService() {
  const service = await createService({ data, jsonServerPort: 0 });
  const root = service.ownUrls['/json-server'] ?? '';
  const below = `${service.url}/s/below/json-server`;
  return { below, root, close: () => service.close() };
}

describe('a front end works with its base URL', () => {
  let below = '';
  let root = '';
  let close = async () => {};
  beforeAll(async () => {
    ({ below, root, close } = await startService());
  });
  afterAll(() => close());

  test.each(named)('below /json-server: %s', async (_name, frontEnd) => {
    await travel(below, frontEnd);
  });

  test.each(named)('at the root of a port: %s', async (_name, frontEnd) => {
    await travel(root, frontEnd);
  });
});

const itself = testsWith('json-server');

itself.describe('json-server itself', () => {
  let ours = '';
  let theirs = '';
  let stop = async () => {};
  beforeAll(async () => {
    const { root, close } = await startService();
    const { urls, stop: stopServers } = await serveByJsonServer([data], 0);
    [ours, theirs] = [root, urls[0] ?? ''];
    stop = async () => {
      stopServers();
      await close();
    };
  });
  afterAll(() => stop());

  itself.test.each(named)('responds the same to %s', async (_name, frontEnd) => {
    expect(await travel(ours, frontEnd)).toEqual(await travel(theirs, frontEnd));
  });
});
