/** Replays the calls of public suites and tutorials, each with the headers that its client sends by default. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dialects } from '../../src/areas/practice-apis/dialects.js';
import { useService } from '../support/service.js';
import { check, type Held } from './held.js';

interface PublicCall extends Omit<Held, 'text'> {
  readonly text?: string;
  /** The length of the list. */
  readonly count?: number;
  /** An item of the list. */
  readonly includes?: object;
  /** The names of the members, in their order. */
  readonly members?: readonly string[];
  /** Members of the body that later calls write in braces, by those names. */
  readonly keep?: Readonly<Record<string, string>>;
}

interface PublicSource {
  /** The public repository. */
  readonly source: string;
  readonly style: string;
  readonly dialect: string;
  readonly calls: readonly PublicCall[];
}

const service = useService();

const anything = { accept: '*/*' };
const defaults: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  axios: { accept: 'application/json, text/plain, */*' },
  fetch: { ...anything, 'sec-fetch-mode': 'cors', 'accept-language': '*' },
  requests: { ...anything, 'user-agent': 'python-requests/2.34' },
  pytest: { ...anything, 'user-agent': 'python-requests/2.34' },
  Postman: { ...anything, 'user-agent': 'PostmanRuntime/7.39', 'cache-control': 'no-cache' },
};

const read = (name: string) =>
  JSON.parse(readFileSync(`test/practice-apis/${name}.json`, 'utf8')) as PublicSource[];

async function replay({ style, dialect, calls }: PublicSource, sandbox: string): Promise<void> {
  const kept = new Map<string, string>();
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (all, name) => kept.get(name) ?? all);
  for (const given of calls) {
    const call = JSON.parse(fill(JSON.stringify(given))) as PublicCall;
    const { ask, status = 200, type, is, has, text, count, includes, members, keep = {} } = call;
    const [method, path] = ask.split(/ (.*)/);
    const headers = { ...(defaults[style] ?? anything), ...call.headers };
    const response = await service.send(`${method} /s/${sandbox}/${dialect}${path}`, {
      ...call,
      headers,
    });
    const received = response.headers['content-type']?.split(';')[0];
    const expected = { ask, status, is, has, text, type: type ?? received };
    try {
      check(response, JSON.parse(JSON.stringify(expected)) as Held);
      if (count !== undefined) expect(response.json).toHaveLength(count);
      if (members !== undefined) expect(Object.keys(response.json)).toEqual(members);
      if (includes !== undefined)
        expect(response.json).toContainEqual(expect.objectContaining(includes));
    } catch (error) {
      throw new Error(`${ask}: ${(error as Error).message}`, { cause: error });
    }
    for (const [name, member] of Object.entries(keep))
      kept.set(name, String(response.json[member]));
  }
}

const tutorials = read('tutorials');
const suites = read('suites');

test('40 tutorials and suites of every practice API are replayed', () => {
  const sources = new Set(tutorials.map(({ source }) => source));
  expect(sources.size).toBeGreaterThanOrEqual(40);
  const styles = tutorials.map(({ style }) => style);
  const common = ['fetch', 'axios', 'requests', 'REST Assured', 'Postman', 'Cypress', 'Playwright'];
  expect(styles).toEqual(expect.arrayContaining(common));
  for (const table of [tutorials, suites]) {
    const served = table.map(({ dialect }) => dialect);
    const missing = dialects.filter(({ name }) => !served.includes(name)).map(({ name }) => name);
    expect(missing, 'add one to tutorials.json and one to suites.json').toEqual([]);
  }
  expect([...tutorials, ...suites].map(({ calls }) => calls.length)).not.toContain(0);
});

test.each(tutorials.map((each, place) => [each.source, place, each] as const))(
  'Tutorial %s',
  async (_source, place, each) => replay(each, `tutorial-${place}`),
);

test.each(suites.map((each, place) => [each.source, place, each] as const))(
  'Suite %s',
  async (_source, place, each) => replay(each, `suite-${place}`),
);

test('the guide of each practice API names its public suites', () => {
  for (const { source, dialect } of suites) {
    const guide = readFileSync(`docs/practice-apis/${dialect}.md`, 'utf8');
    expect(guide, dialect).toContain(`(${source})`);
  }
});
