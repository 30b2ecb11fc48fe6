/** Which test files and cases a run has: nothing may be out of reach. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { namesInTurn } from '../../scripts/tests/in-turn.js';
import { reachByTable, reachOf, reachOfFolders } from '../../scripts/tests/reach.js';
import { describeSelection, modeOf, parts, selectTests } from '../../scripts/tests/select-tests.js';
import { areas, isSlow, testFiles } from '../../scripts/tests/test-files.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = testFiles();
const allFiles = [...new Set(Object.values(files).flat())];
const slowFiles = allFiles.filter(isSlow);
const nothing = { since: 'nothing', files: [] };
const quick = (seed: number, changed: readonly string[] = []) =>
  selectTests({ mode: 'quick', seed, changes: { since: 'x', files: changed }, files });
/** Consecutive turns from any one on, as commits have them. */
const turnsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, turn) => first + turn);

test('every test file belongs to a project, and slow ones and pairs with replicas are many', () => {
  const inOneState = [files.package, files.heap, files.memory].flat();
  expect([...inOneState].sort()).toEqual([...allFiles].sort());
  expect(new Set(inOneState).size).toBe(inOneState.length);
  expect(slowFiles.length).toBeGreaterThan(100);
  expect(files.replicas.length).toBeGreaterThan(100);
});

describe('in a quick run', () => {
  test('every fast file is selected', () => {
    const selected = quick(7).files;
    for (const project of ['package', 'heap', 'later', 'memory'] as const) {
      const fast = files[project].filter((file) => !isSlow(file));
      expect(selected[project].filter((file) => !isSlow(file))).toEqual(fast);
    }
    expect(selected.redis).toEqual(files.redis);
  });

  test('every slow file has its turn, wherever the turns begin', () => {
    const seeds = turnsFrom(1_234_560_011, 2 * parts.slow);
    const selected = seeds.flatMap((seed) => Object.values(quick(seed).files).flat());
    expect(slowFiles.filter((file) => !selected.includes(file))).toEqual([]);
  });

  test('every pair of a file and replicas has its turn', () => {
    const seeds = turnsFrom(1_234_560_013, 2 * parts.replicas);
    const selected = new Set(seeds.flatMap((seed) => quick(seed).files.replicas));
    expect(files.replicas.filter((file) => !selected.has(file))).toEqual([]);
  });

  test('slow files before replicas do not depend on their turn in memory', () => {
    const stored = files.replicas.filter(isSlow);
    expect(stored.length).toBeGreaterThan(5);
    const kinds = new Set<string>();
    // Each file has each of them once in 160 turns, on average.
    for (const seed of turnsFrom(0, 3000)) {
      if (kinds.size === 4 * stored.length) break;
      const selected = quick(seed).files;
      for (const file of stored) {
        const isBefore = selected.replicas.includes(file);
        kinds.add(`${file} ${selected.memory.includes(file)} ${isBefore}`);
      }
    }
    expect(kinds.size).toBe(4 * stored.length);
  });

  test('one commit always has the same files, and the next one others', () => {
    expect(quick(42)).toEqual(quick(42));
    expect(quick(43).slow.inTurn).not.toEqual(quick(42).slow.inTurn);
  });

  test('the changed test files come first, and no more are reached than there is time for', () => {
    const own = ['test/browser/docs.slow.test.ts', 'test/fuzz/fuzz.slow.test.ts'];
    const { slow } = quick(3, [...own, 'test/support/service.ts', 'src/http/exchange.ts']);
    expect(slow.reached.slice(0, 2).sort()).toEqual(own);
    expect(slow.reached.length).toBeLessThan(slowFiles.length / 5);
    const later = quick(4, ['test/support/service.ts']).slow.reached;
    expect(quick(5, ['test/support/service.ts']).slow.reached).not.toEqual(later);
  });

  test('it says what it selected, what it left out and since when', () => {
    const text = describeSelection(quick(3, ['test/fuzz/fuzz.slow.test.ts'])).join('\n');
    expect(text).toContain('Changes are those since x.');
    expect(text).toContain('reached by changes, 1: test/fuzz/fuzz.slow.test.ts\n');
    expect(text).toMatch(/left out, \d+: .*test\/browser \d+/);
  });
});

test.each(['test/wire', 'hostile', './test/fuzz/fuzz.slow.test.ts', 'test/wire/errors.test.ts:12'])(
  'naming %s selects all of it, with all cases',
  (name) => {
    expect(modeOf({}, ['run', '--project', 'memory', name])).toBe('whole');
    expect(modeOf({ PRACTICE_SLOW: 'none' }, ['run', name])).toBe('whole');
  },
);

test.each([
  [{}, ['run'], 'quick'],
  [{ CI: 'true' }, ['run', '--project', 'memory'], 'quick'],
  [{}, ['run', '--outputFile', '/tmp/report.json', '-t', 'wire'], 'quick'],
  [{ PRACTICE_SLOW: 'none' }, ['run', '--project', 'memory'], 'fast'],
  [{ PRACTICE_WHOLE: '1', PRACTICE_SLOW: 'none' }, ['run'], 'whole'],
  [{ PRACTICE_DEEP: '1' }, ['run'], 'whole'],
] as const)('the environment %j and the arguments %j are %s', (environment, args, mode) => {
  expect(modeOf(environment, args)).toBe(mode);
});

test('the whole leaves nothing out, whatever its seed', () => {
  for (const seed of [1, 2, 1_999_999_999]) {
    const selection = selectTests({ mode: 'whole', seed, changes: nothing, files });
    expect(selection.files).toEqual(files);
    expect([...selection.slow.leftOut, ...selection.replicas.leftOut]).toEqual([]);
  }
});

describe('cases', () => {
  /** Calls that choose from the cases of a file: the number of parts. */
  const choices = allFiles.flatMap((file) => {
    const text = readFileSync(root + file, 'utf8');
    const calls = [...text.matchAll(/\bevery(?:Third\(|Nth\([\s\S]*?,\s*(\d+),?\s*\))/g)];
    return calls.map(([, count = '3']) => ({ file, count: Number(count) }));
  });
  const most = 240;

  test('are chosen in many files, by one function', () => {
    expect(choices.length).toBeGreaterThan(18);
    expect(choices.filter(({ count }) => count > 3).length).toBeGreaterThan(2);
    const byRemainder = allFiles.filter((file) => {
      const text = readFileSync(root + file, 'utf8');
      return /% \d+ === seed %|PRACTICE_SEED\) %|every(?:Third|Nth)\(\s*every/.test(text);
    });
    expect(byRemainder.filter((file) => !file.startsWith('test/selection/'))).toEqual([]);
  });

  test('each is reached in a run that has its file', () => {
    const selectedAt = turnsFrom(0, 2000).map(
      (turn) => new Set(namesInTurn('slow', slowFiles, parts.slow, turn)),
    );
    const names = [...Array(most).keys()].map(String);
    for (const { file, count } of choices) {
      const missing = new Set(names);
      for (const [turn, selected] of selectedAt.entries()) {
        if (missing.size === 0) break;
        if (isSlow(file) && !selected.has(file)) continue;
        for (const name of namesInTurn(file, names, count, turn)) missing.delete(name);
      }
      expect([...missing], file).toEqual([]);
    }
  });

  test.each([1, 2, 3, 7, 100])('of %i, some are in each turn, and all in a round', (count) => {
    const names = [...Array(count).keys()].map(String);
    const chosen = turnsFrom(300, 3).map((turn) => namesInTurn('any', names, 3, turn));
    expect(chosen.every(({ length }) => length > 0)).toBe(true);
    expect(new Set(chosen.flat()).size).toBe(count);
  });
});

describe('the table of what changes reach', () => {
  test.each(Object.entries(reachOfFolders))('%s exists, and so do its tests', (begin, targets) => {
    expect(existsSync(root + begin)).toBe(true);
    const existing = targets.filter(
      (target) => target === 'areas with state' || allFiles.some((file) => file.startsWith(target)),
    );
    expect(existing).toEqual(targets);
  });

  test('has every layer of src/ and every folder of the project with sources', () => {
    const layers = readdirSync(`${root}src`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'areas')
      .map(({ name }) => `src/${name}/`);
    const folders = [
      'src/',
      'pages/',
      'docs/',
      'examples/',
      'data/',
      'deploy/',
      'scripts/',
      'lab/',
    ];
    const missing = [...layers, ...folders].filter((folder) => !(folder in reachOfFolders));
    expect(missing).toEqual([]);
  });

  test('leads to every slow file: none waits for its turn only', () => {
    const begins = [
      ...Object.values(reachOfFolders).flat(),
      ...areas.flatMap((area) => reachByTable(`src/areas/${area}/area.ts`)),
    ];
    const byTable = (file: string) => begins.some((begin) => file.startsWith(begin));
    const byImports = reachOf(['src/service.ts', 'lab/hostile/attacker.js'], slowFiles);
    expect(slowFiles.filter((file) => !byTable(file) && !byImports.has(file))).toEqual([]);
  });

  test.each([
    ['src/wire/servers/listen.ts', 'test/fuzz/malformed-http.slow.test.ts'],
    ['src/http/exchange.ts', 'test/wire/limits.slow.test.ts'],
    ['pages/bins/api.ts', 'test/browser/journeys.slow.test.ts'],
    ['pages/bins/api.ts', 'test/guides/guides.slow.test.ts'],
    ['src/describe/openapi/describe-service.ts', 'test/openapi/documents.slow.test.ts'],
    ['src/describe/openapi/describe-service.ts', 'test/downloads/postman.slow.test.ts'],
    ['src/state/state.ts', 'test/shared-state/chaos.slow.test.ts'],
    ['src/state/state.ts', 'src/state/redis/redis-outages.slow.test.ts'],
    ['scripts/build.js', 'test/process/package.slow.test.ts'],
    ['docs/auth/basic.md', 'test/guides/guides.slow.test.ts'],
    ['src/areas/bins/area.ts', 'test/bins/waiting.slow.test.ts'],
    ['src/areas/oidc/pages/pages.ts', 'test/browser/oidc.slow.test.ts'],
    ['src/areas/mcp/endpoints/endpoints.ts', 'test/clients/mcp.slow.test.ts'],
    ['lab/hostile/attacker.js', 'test/hostile/hostile.slow.test.ts'],
  ])('%s reaches %s at once', (changed, reached) => {
    expect(reachOf([changed], slowFiles).get(reached)).toBeLessThanOrEqual(2);
  });

  test('an area does not reach the slow files of all the others, which import it with the service', () => {
    const reached = reachOf(['src/areas/bins/area.ts'], slowFiles);
    expect(reached.size).toBeGreaterThan(0);
    expect(reached.size).toBeLessThan(slowFiles.length / 5);
  });
});
