/** Areas of the built package are loaded by their first request, and callers cannot tell. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedRoutes } from '../../src/app/late-endpoints.js';
import { createService, type Service } from '../../src/index.js';

const dist = new URL('../../dist/', import.meta.url);
const listed: ListedRoutes = JSON.parse(readFileSync(new URL('texts/routes.json', dist), 'utf8'));
const names = Object.keys(listed.areas);

interface Seen {
  readonly status: number;
  readonly allow: string | null;
  readonly body: string;
}

/** Runs code in a process that prints what it loads; `report` prints a value, `see` is a request of a new service. */
async function inNewProcess<Value>(code: string): Promise<Value> {
  const program = `
    const { isBuiltin, Module } = await import('node:module');
    const loaded = new Set();
    const load = Module._load;
    Module._load = function (name, ...rest) { loaded.add(name); return load.call(this, name, ...rest); };
    const { createService } = await import('${new URL('index.js', dist)}');
    const service = await createService();
    const see = async (path, method = 'GET', options = {}) => {
      const response = await fetch(service.url + path, { method, ...options });
      const { status, headers } = response;
      return { status, allow: headers.get('allow'), body: await response.text() };
    };
    const report = (value) => console.log(JSON.stringify(value));
    ${code}
    await service.close();`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
  return JSON.parse(stdout);
}

let source: Service;
beforeAll(async () => {
  source = await createService();
});
afterAll(() => source.close());

test('half of the areas are late, in every variant of the description', () => {
  expect(names.length).toBeGreaterThan(17);
  expect(listed.variants).toEqual([
    'default',
    'metrics-off',
    'accounts-required',
    'accounts-required_metrics-off',
  ]);
});

test('a start and an echo load no area, and no package that only areas need', async () => {
  const loaded = await inNewProcess<readonly string[]>(`
    await see('/api/methods/get');
    report([...loaded].filter((name) => /^(?:@|[a-z])/.test(name) && !isBuiltin(name) || /^\\.\\/loaded/.test(name)));`);
  expect(loaded).toEqual([]);
});

/** The first endpoint of each area without a parameter. */
const paths = Object.values(listed.areas).flatMap((endpoints) => {
  const found = endpoints.find(
    ([methods, path]) => !/[:*]/.test(path) && [methods].flat().includes('GET'),
  );
  return found === undefined ? [] : [found[1]];
});

test('405 is the same before an area is loaded and after', async () => {
  expect(paths).toHaveLength(names.length);
  const [before, after] = await inNewProcess<readonly [readonly Seen[], readonly Seen[]]>(`
    const paths = ${JSON.stringify(paths)};
    const seeAll = async (method) => {
      const seen = [];
      for (const path of paths) seen.push(await see(path, method));
      return seen;
    };
    const before = await seeAll('PROPFIND');
    await seeAll('GET');
    report([before, await seeAll('PROPFIND')]);`);
  const allowed = before.map(({ status, allow }) => ({ status, allow }));
  expect(after.map(({ status, allow }) => ({ status, allow }))).toEqual(allowed);
  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([405]));
});

test('twenty first requests at once get the same response as from source', async () => {
  const seen = await inNewProcess<readonly (readonly number[])[]>(`
    const all = [];
    for (const path of ${JSON.stringify(paths)}) {
      const responses = await Promise.all(Array.from({ length: 20 }, () => see(path)));
      all.push([...new Set(responses.map(({ status }) => status))]);
    }
    report(all);`);
  const expected: number[][] = [];
  for (const path of paths) expected.push([(await fetch(source.url + path)).status]);
  expect(seen).toEqual(expected);
});

test('lists of endpoints are complete, whatever is loaded', async () => {
  const built = await inNewProcess<Seen>(`report(await see('/endpoints.json'));`);
  const expected = await fetch(`${source.url}/endpoints.json`).then((response) => response.json());
  expect(JSON.parse(built.body)).toEqual(expected);
});

test('secrets in the path of an area that is not loaded are not shown', () => {
  const secrets = Object.values(listed.areas)
    .flat()
    .filter(([, , hidden = []]) => hidden.length > 0);
  expect(secrets.length).toBeGreaterThan(0);
});

test('an area that could not be loaded is loaded by a later request', async () => {
  const seen = await inNewProcess<readonly Seen[]>(`
    let isBroken = true;
    const before = Module._load;
    Module._load = function (name, ...rest) {
      if (isBroken && /loaded/.test(name)) throw new Error('too many open files');
      return before.call(this, name, ...rest);
    };
    const first = await see('/api/challenges');
    isBroken = false;
    report([first, await see('/api/challenges')]);`);
  expect(seen.map(({ status }) => status)).toEqual([500, 200]);
  expect(seen[0]?.body).not.toContain('too many open files');
});
