import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ownerOf } from '../../lab/harness/code-owner.js';
import { sumByOwner } from '../../lab/house/called-functions.js';
import { membersOf, readSources } from '../../lab/house/read-sources.js';
import { faultsOf, faultsOfFiles, faultsOfPaths, partsOf } from '../../scripts/check-rooms.js';
import { floorsOf, groupsOf, importsIn } from '../../scripts/import-graph.js';

/** Files that import others, written as `a: b c`. */
const graph = (...lines: string[]) =>
  new Map(
    lines.map((line) => {
      const [file = '', imported = ''] = line.split(':');
      return [file, imported.split(' ').filter(Boolean)];
    }),
  );

test.each<[what: string, imports: Map<string, string[]>, circles: string[], floors: number]>([
  ['no files', graph(), [], 0],
  ['a file', graph('a:'), [], 1],
  ['a chain', graph('a: b', 'b: c', 'c:'), [], 3],
  ['a chain beside a shorter path', graph('a: b d', 'b: c', 'c: d', 'd:'), [], 4],
  ['a file outside', graph('a: outside'), [], 1],
  ['two files that import each other', graph('a: b', 'b: a'), ['a b'], 1],
  [
    'a cycle through other files, on one level',
    graph('a: b', 'b: c', 'c: a d', 'd:'),
    ['a b c'],
    2,
  ],
  ['two cycles', graph('a: b', 'b: a c', 'c: d', 'd: c'), ['a b', 'c d'], 2],
  ['a file that imports itself', graph('a: a'), [], 1],
])('cycles and levels of %s', (_what, imports, circles, floors) => {
  const found = groupsOf(imports).filter(({ length }) => length > 1);
  expect(found.map((files) => files.sort().join(' ')).sort()).toEqual(circles);
  expect(floorsOf(imports)).toBe(floors);
});

test('files are imported by relative and short paths, of any kind of import', () => {
  const text = `import './a.js';
import { b } from '../b/b.js';
export * from '#base/c.js';
import 'node:fs';
const d = await import('#kit/d.js');
const e = new URL('./e.lua', import.meta.url);`;
  expect(importsIn('src/http/file.ts', text)).toEqual([
    'src/http/a.js',
    'src/b/b.js',
    'src/base/c.js',
    'src/kit/d.js',
    'src/http/e.lua',
  ]);
});

test.each([
  ['http/a/b.ts', '../c/d.js', undefined],
  ['http/a/b.ts', '#base/d.js', undefined],
  ['http/a/b.ts', '../../base/d.js', 'use #base/d.js'],
  ['http/a/b.ts', '#http/c/d.js', 'use a relative path within a layer or area'],
  ['areas/a/b.ts', '../../kit/d.js', 'use #kit/d.js'],
  ['areas/a/b/c.ts', '../d.js', undefined],
  ['areas/a/b/c.ts', '#areas/a/d.js', 'use a relative path within a layer or area'],
  ['areas/a/b.test.ts', '../../../test/support/service.js', undefined],
])('in %s, the path %s is short enough, or: %s', (file, path, advice) => {
  const faults = faultsOfPaths(file, `import { d } from '${path}';`);
  expect(faults).toEqual(advice === undefined ? [] : [`${file} imports ${path}: ${advice}.`]);
});

test('the parts of an area are its folders and files', () => {
  const imports = graph(
    'areas/a/area.ts: areas/a/x/one.ts kit/area.ts',
    'areas/a/x/one.ts: areas/a/x/two.ts areas/a/y/three.ts',
    'areas/a/x/two.ts:',
    'areas/a/y/three.ts: areas/a/x/two.ts',
    'kit/area.ts:',
  );
  const parts = partsOf(imports).get('areas/a');
  expect(parts).toEqual(
    new Map([
      ['area.ts', ['x']],
      ['x', ['y']],
      ['y', ['x']],
    ]),
  );
  expect(faultsOf(imports)).toContain('Parts of areas/a import each other: x, y');
});

test('an area has few floors', () => {
  const names = Array.from({ length: 9 }, (_, index) => `areas/a/${index}.ts`);
  const lines = names.map((name, index) => `${name}: ${names[index + 1] ?? ''}`);
  expect(faultsOf(graph(...lines))).toEqual(['areas/a has 9 floors; the limit is 8.']);
});

test('files outside of folders are layers too', () => {
  const imports = graph(
    'service.ts: areas/a/area.ts',
    'areas/a/area.ts: service.ts program/main.ts',
    'program/main.ts: service.ts',
    'other.ts: base/a.ts',
  );
  expect(faultsOf(imports)).toEqual([
    'areas/a/area.ts imports service.ts: service.ts is above areas.',
    'areas/a/area.ts imports program/main.ts: program is above areas.',
    'other.ts is in no layer: name it in scripts/check-rooms.js.',
    'They import each other: service.ts, areas/a/area.ts, program/main.ts',
  ]);
});

test('files of pages/ form no circle, and a folder has few', () => {
  const names = Array.from({ length: 16 }, (_, index) => `bins/${index}.ts:`);
  expect(faultsOfFiles(graph(...names, 'bar/a.ts: bar/b.ts', 'bar/b.ts: bar/a.ts'))).toEqual([
    'They import each other: bar/a.ts, bar/b.ts',
    'bins has 16 files; the limit is 15.',
  ]);
});

test('calls outside of the request are subtracted', () => {
  const ours = { owner: 'ours', calls: 3 };
  const counts = new Map([
    ['a', ours],
    ['b', ours],
    ['c', { owner: 'Node', calls: 2 }],
  ]);
  const others = new Map([
    ['b', { owner: 'ours', calls: 1 }],
    ['c', { owner: 'Node', calls: 2 }],
  ]);
  expect([...sumByOwner(counts, others)]).toEqual([['ours', { functions: 2, calls: 5 }]]);
});

describe('a source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-house-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'src'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('tsconfig.build.json', '{"compilerOptions": {"module": "nodenext"}, "include": ["src"]}');
  write(
    'src/a.ts',
    `import { readFileSync } from 'node:fs';
import type { B } from './b.js';
export let counter = 0;
const cache = new Map<string, B>();
const none: ReadonlySet<string> = new Set();
const names = new Set(['a']);
const seen = new Set(['a']);
export const table = new Map([['a', 1]]);
export interface Area { readonly name: string; readonly front?: Front; addRoutes(): void }
export interface Front { readonly start: string; readonly pages: readonly Page[] }
interface Page { readonly path: string }
export function long(one: number, two: number) {
  seen.add(String(one + two));
  return () => [readFileSync, names, cache, counter];
}
export const later = () => import('./c.js');
`,
  );
  write('src/b.ts', 'export class B {\n  constructor(readonly name: string) {}\n}\n');
  write('src/c.ts', 'export {};\n');
  const sources = new Map(readSources(folder).map((source) => [source.file, source]));
  const a = sources.get('src/a.ts');

  test('imports files of the project, also only their types, and also dynamically', () => {
    expect(a?.imports.sort()).toEqual(['src/b.ts', 'src/c.ts']);
  });

  test('has mutable values: variables, and collections that are empty or changed', () => {
    expect(a?.state).toEqual(['counter', 'cache', 'seen']);
  });

  test('has functions with lines and parameters, named after their containers', () => {
    expect(a?.functions).toEqual([
      { name: 'long', lines: 4, parameters: 2 },
      { name: 'long', lines: 1, parameters: 0 },
      { name: 'later', lines: 1, parameters: 0 },
    ]);
    expect(sources.get('src/b.ts')?.functions).toEqual([
      { name: 'new B', lines: 1, parameters: 1 },
    ]);
  });

  test('has interfaces with members, also of interfaces inside, and lines', () => {
    expect(membersOf(a, 'Area')).toEqual([
      { name: 'Area', count: 3 },
      { name: 'Front', count: 2 },
    ]);
    expect(() => membersOf(a, 'Services')).toThrow('src/a.ts has no interface Services.');
    expect(a?.lines).toBe(16);
  });
});

test.each([
  ['RouteCatalogue = class', 'src/kit/route-catalogue.ts'],
  ['function pino(', 'pino'],
])('the built line of %s belongs to %s', (code, owner) => {
  const url = new URL('../../dist/service.cjs', import.meta.url);
  const lines = readFileSync(url, 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes(code));
  expect(line).toBeGreaterThan(-1);
  expect(ownerOf(url.href, line)).toBe(owner);
});
