/** How careless changes are made, chosen, judged and counted. */

import { readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';
import { describe, expect, test } from 'vitest';
import {
  areaOf,
  chooseMutants,
  type Equivalent,
  nameOf,
  sharesOf,
  withoutEquivalents,
} from '../../lab/mutants/choose.js';
import { Judge, type Tested } from '../../lab/mutants/judge.js';
import { apply, mutantsOf, mutators } from '../../lab/mutants/mutators.js';
import { type Stage, stagesOf, upTo, without } from '../../lab/mutants/stages.js';
import { placeIn, type Run } from '../../lab/mutants/tree.js';
import { verdictOf } from '../../lab/mutants/verdict.js';
import { namesInOrder } from '../../scripts/tests/in-turn.js';
import { filesIn, testFiles } from '../../scripts/tests/test-files.js';

/** Returns what the lines become by the changes of a kind. */
const changesOf = (kind: string, source: string) =>
  mutantsOf('x.ts', source)
    .filter((mutant) => mutant.kind === kind)
    .map(({ to }) => to);

test.each<[kind: string, source: string, changed: string[]]>([
  ['bound', 'a < b;', ['a <= b;']],
  ['bound', '(a) >= /* ä */ (b);', ['(a) > /* ä */ (b);']],
  ['condition', 'a === b;', ['a !== b;']],
  ['condition', '(a && b) ?? !c;', ['(a || b) ?? !c;', '(a && b) ?? c;']],
  ['check', 'f: { if (a) throw b; }', ['f: { if (false) throw b; }']],
  ['check', 'function f() { if (a) { return; } }', ['function f() { if (false) { return; } }']],
  ['check', 'if (a) b(); if (a) throw b; else c();', []],
  ['throw', 'if (a) throw b;', ['if (a) {}']],
  [
    'await',
    'async () => { (await f()).x; await (g ?? h); }',
    ['async () => { (f()).x; await (g ?? h); }', 'async () => { (await f()).x; (g ?? h); }'],
  ],
  ['await', 'async () => { return await f(); }; async () => await f();', []],
  ['call', 'f(a);', ['{}']],
  ['call', 'class A extends B { constructor() { super(); } }', []],
  ['limit', 'const maxPlaces = 5;', ['const maxPlaces = (5) + 1;', 'const maxPlaces = (5) - 1;']],
  [
    'limit',
    'f({ maxLength: 1_000 });',
    ['f({ maxLength: (1_000) + 1 });', 'f({ maxLength: (1_000) - 1 });'],
  ],
  [
    'limit',
    'const keptBytes = 64 * 1024;',
    ['const keptBytes = (64 * 1024) + 1;', 'const keptBytes = (64 * 1024) - 1;'],
  ],
  [
    'time',
    'const maxWaitMs = 2 * n;',
    ['const maxWaitMs = (2 * n) * 1000;', 'const maxWaitMs = (2 * n) / 1000;'],
  ],
  ['limit', 'const width = 5; const maxMs = 5; type T = { max: 5 };', []],
  [
    'status',
    'throw new HttpError(404, a);',
    ['throw new HttpError(405, a);', 'throw new HttpError(403, a);'],
  ],
  ['status', 'f({ status: 201, size: 200 }); at(300, 400); x > 200;', ['202', '200'].map(ofStatus)],
  [
    'header',
    "reply.header('etag', 'a');",
    ["reply.header('x-etag', 'a');", "reply.header('etag', 'x');"],
  ],
  [
    'header',
    "f({ 'retry-after': '1' });",
    ["f({ 'x-retry-after': '1' });", "f({ 'retry-after': 'x' });"],
  ],
  ['header', "f({ title: 'a' }); reply.header('some text here', 'b');", []],
  [
    'arithmetic',
    'i++; a -= 1; b + 1;',
    ['i--; a -= 1; b + 1;', 'i++; a += 1; b + 1;', 'i++; a -= 1; b - 1;'],
  ],
  ['arithmetic', 'list.sort((a, b) => a.x - b.x);', ['list.sort((a, b) => b.x - a.x);']],
  ['arithmetic', "a + 'b'; a + b; a += `c`;", []],
  ['method', 'Math.min(a, b);', ['Math.max(a, b);']],
  ['method', 'a.toString(); a.constructor();', []],
  [
    'case',
    "switch (a) { case 'b': f(); default: g(); }",
    ['switch (a) { case undefined: f(); default: g(); }'],
  ],
  ['case', "const a = ['b', 'c'];", ["const a = ['c'];", "const a = ['b'];"]],
  ['flag', 'f(true);', ['f(false);']],
  ['pattern', '/^a$/i.test(b);', ['/a$/i.test(b);', '/^a/i.test(b);', '/^a$/.test(b);']],
  ['pattern', '/^/; /\\$/;', []],
])('%s: %s', (kind, source, changed) => {
  expect(changesOf(kind, source)).toEqual(changed);
});

function ofStatus(status: string) {
  return `f({ status: ${status}, size: 200 }); at(300, 400); x > 200;`;
}

test('imports, exports of others and types are not changed', () => {
  const source =
    "import a from './1.js' with { type: 'x-y' }; export { b } from './2.js'; type C = 404 | true;";
  expect(mutantsOf('x.ts', source)).toEqual([]);
});

test('changes of each kind in the sources differ from them, and parse', () => {
  const sources = filesIn('src').filter((file) => /(?<!\.test)\.ts$/.test(file));
  const files = namesInOrder('parsed', sources, 0).slice(0, 60);
  const found = files.flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(Object.keys(mutators)));
  for (const mutant of found.filter((_each, place) => place % 5 === 0)) {
    const source = readFileSync(mutant.file, 'utf8');
    const changed = apply(source, mutant.edit);
    expect(changed, nameOf(mutant)).not.toBe(source);
    expect(parseSync(mutant.file, changed).errors, nameOf(mutant)).toEqual([]);
  }
});

describe('the choice', () => {
  const counts = new Map([
    ['areas/auth', 900],
    ['areas/health', 3],
    ['areas/tiny', 1],
    ['wire', 80],
    ['site', 16],
  ]);

  test.each([
    ['nothing', 0, {}],
    [
      'the minimum of areas and core rooms',
      7,
      { 'areas/auth': 2, 'areas/health': 2, 'areas/tiny': 1, wire: 2, site: 0 },
    ],
    ['proportion', 100, { 'areas/auth': 89, 'areas/health': 2, 'areas/tiny': 1, wire: 7, site: 1 }],
    ['everything', 5000, Object.fromEntries(counts)],
  ])('%s', (_what, sample, shares) => {
    expect(Object.fromEntries(sharesOf(counts, sample, 1))).toMatchObject(shares);
  });

  test('a sample that is too small for all has other areas for other seeds', () => {
    const chosen = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) =>
      [...sharesOf(counts, 1, seed)].find(([, share]) => share === 1),
    );
    expect(new Set(chosen.map((entry) => entry?.[0])).size).toBeGreaterThan(1);
  });

  const source = readFileSync('src/http/http-error.ts', 'utf8');
  const files = ['src/areas/a/x.ts', 'src/areas/a/y.ts', 'src/areas/b/x.ts', 'src/wire/x.ts'];
  const mutants = files.flatMap((file) => mutantsOf(file, source));
  const namesFor = (seed: number) =>
    chooseMutants(mutants, { sample: 8, seed }).map((mutant) => nameOf(mutant));

  test('is the same for a seed, another for another, and has no change twice', () => {
    expect(namesFor(1)).toEqual(namesFor(1));
    expect(namesFor(1)).not.toEqual(namesFor(2));
    expect(new Set(namesFor(1)).size).toBe(8);
  });

  test('prefers other files and kinds in an area', () => {
    const own = chooseMutants(mutants, { sample: 6, seed: 3 }).filter(
      ({ file }) => areaOf(file) === 'areas/a',
    );
    expect(own).toHaveLength(2);
    expect(new Set(own.map(({ file }) => file)).size).toBe(2);
    expect(new Set(own.map(({ kind }) => kind)).size).toBe(2);
  });

  test.each([
    ['src/areas/auth/basic/scheme.ts', 'areas/auth'],
    ['src/wire/http2/frames.ts', 'wire'],
    ['src/service.ts', 'app'],
  ])('%s is of %s', (file, area) => {
    expect(areaOf(file)).toBe(area);
  });
});

describe('changes that change nothing', () => {
  const mutants = mutantsOf('src/x.ts', 'const a = b < c;\nd === e;\n');
  const entry = {
    file: 'src/x.ts',
    from: 'const a = b < c;',
    to: 'const a = b <= c;',
    reason: 'b is never equal to c.',
  };

  test('are not chosen', () => {
    expect(withoutEquivalents(mutants, [entry]).map(({ to }) => to)).toEqual(['d !== e;']);
  });

  test.each([
    ['another file', { file: 'src/y.ts' }],
    ['lines that changed since', { from: 'const a = b < d;' }],
    ['another change', { to: 'const a = b > c;' }],
    ['no reason', { reason: ' ' }],
  ])('are rejected with %s', (_what, other) => {
    expect(() => withoutEquivalents(mutants, [{ ...entry, ...other }])).toThrow(/src\/[xy]\.ts/);
  });

  test('the list is up to date', () => {
    const list: Equivalent[] = JSON.parse(readFileSync('lab/mutants/equivalents.json', 'utf8'));
    const files = new Set(list.map(({ file }) => file));
    const changes = [...files].flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
    expect(() => withoutEquivalents(changes, list)).not.toThrow();
  });
});

describe('the verdict', () => {
  const judged = (file: string, found: number, survived: number) =>
    Array.from({ length: found + survived }, (_, place) => ({
      name: `${file} ${place}`,
      file,
      isFound: place < found,
      by: 'x',
    }));

  test.each([
    [
      '10 % of all',
      [
        ['src/areas/a/x.ts', 45, 5],
        ['src/wire/x.ts', 45, 5],
      ],
      [],
    ],
    [
      '11 % of all',
      [
        ['src/areas/a/x.ts', 44, 6],
        ['src/wire/x.ts', 45, 5],
      ],
      ['all: 11 of 100 survived, more than 10 %'],
    ],
    [
      '20 % of an area',
      [
        ['src/areas/a/x.ts', 4, 1],
        ['src/wire/x.ts', 20, 0],
      ],
      [],
    ],
    [
      'more of an area',
      [
        ['src/areas/a/x.ts', 3, 2],
        ['src/wire/x.ts', 20, 0],
      ],
      ['areas/a: 2 of 5 survived, more than 20 %'],
    ],
    [
      'too few of an area',
      [
        ['src/areas/a/x.ts', 2, 2],
        ['src/wire/x.ts', 40, 0],
      ],
      [],
    ],
    ['nothing', [], []],
  ] as [string, [string, number, number][], string[]][])('%s', (_what, counts, faults) => {
    expect(verdictOf(counts.flatMap((each) => judged(...each))).faults).toEqual(faults);
  });

  test('counts areas by name, and all at the end', () => {
    const all = [...judged('src/wire/x.ts', 1, 1), ...judged('src/areas/a/x.ts', 3, 0)];
    expect(verdictOf(all).rows).toEqual([
      { area: 'areas/a', count: 3, survived: 0, percent: 0 },
      { area: 'wire', count: 2, survived: 1, percent: 50 },
      { area: 'all', count: 5, survived: 1, percent: 20 },
    ]);
  });
});

describe('the order of tests', () => {
  const files = testFiles();
  const stages = stagesOf('src/areas/rate-limit/endpoints.ts', 1, files);
  const testsOf = (name: string) =>
    Object.values(stages.find((stage) => stage.name === name)?.tests ?? {}).flat();

  test('what a change reaches comes first, and slow files last', () => {
    expect(stages[0]?.name).toBe('near');
    expect(testsOf('near')).toEqual(
      expect.arrayContaining(files.memory.filter((file) => file.startsWith('test/rate-limit/'))),
    );
    const slow = testsOf('near').map((file) => file.includes('.slow.'));
    expect(slow.toSorted((a, b) => Number(a) - Number(b))).toEqual(slow);
  });

  test('everything else that is fast comes at the end, each file once', () => {
    const inMemory = [...testsOf('near'), ...testsOf('far')];
    expect(new Set(inMemory).size).toBe(inMemory.length);
    const fast = [...files.memory, ...files.heap].filter((file) => !file.includes('.slow.'));
    expect(inMemory).toEqual(
      expect.arrayContaining(fast.filter((file) => files.memory.includes(file))),
    );
    expect(stages.map(({ name }) => name).slice(-2)).toEqual(['far', 'far, later']);
  });

  test('the descriptions of all areas are checked for each change', () => {
    expect(stages.find(({ name }) => name === 'package')?.isOfPackage).toBe(true);
    const described = files.package.filter((file) =>
      /^test\/openapi\/.*(?<!\.slow)\.test\.ts$/.test(file),
    );
    expect(described.length).toBeGreaterThan(3);
    expect(testsOf('package')).toEqual(expect.arrayContaining(described));
  });

  test('a change of the state reaches all areas with state', () => {
    const [first] = stagesOf('src/state/use-once.ts', 1, files).filter(
      ({ name }) => name === 'later',
    );
    const fast = files.later.filter((file) => !file.includes('.slow.'));
    expect(first?.tests.later).toEqual(expect.arrayContaining(fast));
  });

  const tests = { memory: ['a', 'b'], heap: ['c'], later: ['a', 'b'] };
  test.each([
    [undefined, tests],
    [{ project: 'memory', file: 'a' }, { memory: ['a'] }],
    [
      { project: 'later', file: 'a' },
      { memory: ['a', 'b'], heap: ['c'], later: ['a'] },
    ],
  ])('tests up to %o', (last, cut) => {
    expect(upTo(tests, last)).toEqual(cut);
  });

  test('a file is excluded from its project only', () => {
    expect(without(tests, new Set(['later a', 'heap c']))).toEqual({
      memory: ['a', 'b'],
      heap: [],
      later: ['b'],
    });
  });
});

test('the first failure, or what began last, is read from the output of a run', () => {
  const line = (what: string, file: string) =>
    `${JSON.stringify({ what, project: 'memory', file, name: 'n' })}\n`;
  const output = `x\n${line('begun', 'a')}${line('failed', 'a')}${line('begun', 'b')}${line('failed', 'b')}`;
  expect(placeIn(output, false)).toEqual({ project: 'memory', file: 'a', name: 'n' });
  expect(placeIn(output, true)).toEqual({ project: 'memory', file: 'b', name: 'n' });
  expect(placeIn('Error: no file', false)).toBeUndefined();
});

describe('a judge', () => {
  const [mutant] = mutantsOf('package.json', 'a < b;');
  const stage = (name: string, files: string[], isOfPackage = false): Stage => ({
    name,
    tests: { memory: files },
    isOfPackage,
  });

  /** A copy of the project without files; a file fails by the word that it contains. */
  class FakeTree implements Tested {
    folder = process.cwd();
    isChanged = false;
    runs: string[] = [];
    isBuildable = true;
    change() {
      this.isChanged = true;
    }
    restore() {
      this.isChanged = false;
    }
    async build() {
      this.runs.push('build');
      return this.isBuildable || !this.isChanged;
    }
    async test({ memory = [] }: Stage['tests']): Promise<Run> {
      this.runs.push(`${this.isChanged ? 'changed' : 'original'}: ${memory.join(' ')}`);
      const failing = memory.find(
        (file) => file.includes('broken') || (this.isChanged && /notices|hangs|crashes/.test(file)),
      );
      if (failing === undefined) return { outcome: 'passed', output: '' };
      const outcome = failing.includes('hangs') ? 'silent' : 'failed';
      if (failing === 'crashes') return { outcome, output: '' };
      return { outcome, output: '', place: { project: 'memory', file: failing, name: 'test' } };
    }
  }

  async function judge(stages: Stage[], tree = new FakeTree()) {
    if (mutant === undefined) throw new Error('There is no change.');
    const judge = new Judge(1, { stages: () => stages });
    const { isFound, by } = await judge.judge(mutant, tree);
    expect(tree.isChanged).toBe(false);
    return { isFound, by, runs: tree.runs, excluded: judge.excluded };
  }

  test('runs all stages, and then the change survived', async () => {
    expect(await judge([stage('near', ['a', 'b']), stage('far', ['c'])])).toEqual({
      isFound: false,
      by: '3 test files',
      runs: ['changed: a b', 'changed: c'],
      excluded: [],
    });
  });

  test('ends at the first failure, after the same tests have passed without the change', async () => {
    expect(await judge([stage('near', ['a', 'notices', 'b']), stage('far', ['c'])])).toEqual({
      isFound: true,
      by: 'memory notices test',
      runs: ['changed: a notices b', 'original: a notices'],
      excluded: [],
    });
  });

  test.each([
    ['hangs', 'memory hangs test (hangs)'],
    ['crashes', 'a test'],
  ])('a process that %s noticed the change', async (file, by) => {
    expect(await judge([stage('near', ['a', file])])).toMatchObject({ isFound: true, by });
  });

  test('leaves out what fails anyhow, and repeats the stage without it', async () => {
    expect(
      await judge([stage('near', ['broken', 'a']), stage('far', ['broken', 'notices'])]),
    ).toEqual({
      isFound: true,
      by: 'memory notices test',
      runs: [
        'changed: broken a',
        'original: broken',
        'changed: a',
        'changed: notices',
        'original: notices',
      ],
      excluded: ['memory broken'],
    });
  });

  test('builds the package with the change, and without it before repeating its tests', async () => {
    expect(await judge([stage('package', ['notices'], true)])).toMatchObject({
      isFound: true,
      runs: ['build', 'changed: notices', 'build', 'original: notices'],
    });
  });

  test('a build that fails noticed the change', async () => {
    const tree = new FakeTree();
    tree.isBuildable = false;
    expect(await judge([stage('package', ['a'], true)], tree)).toMatchObject({
      isFound: true,
      by: 'the build',
    });
  });
});
