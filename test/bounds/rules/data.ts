/** Limits of data that callers load, and of writes to it. */

import { routeRewriter } from '../../../src/areas/data/json-server/rewrite-routes.js';
import { countShapes, inferShape } from '../../../src/areas/data/own/load/infer-shape.js';
import { OwnRelations, usualFieldNames } from '../../../src/areas/data/own/load/own-relations.js';
import { readOwnData } from '../../../src/areas/data/own/load/read-own-data.js';
import { surveyJson } from '../../../src/areas/data/own/load/survey-json.js';
import { declaredNames } from '../../../src/areas/data/own/query/declared-names.js';
import { ownFields } from '../../../src/areas/data/own/query/own-fields.js';
import { applyJsonPatch } from '../../../src/areas/data/patch/apply-json-patch.js';
import { parseJsonPatch } from '../../../src/areas/data/patch/parse-json-patch.js';
import { idText } from '../../../src/areas/data/source/index-records.js';
import { parseYaml } from '../../../src/areas/data/write/parse-yaml.js';
import { runAtOnce } from '../../../src/base/run-steps.js';
import { CheckBudget } from '../../../src/json-schema/budget.js';
import { matchesPattern } from '../../../src/json-schema/pattern.js';
import { list0 } from '../../../src/kit/json-server/list-0.js';
import { isWithout, type Rule } from './rule.js';

const loading = 'areas/data/own/load';
const query = 'areas/data/own/query';
const patch = 'areas/data/patch/apply-json-patch.ts';

/** An object with this many members. */
const wide = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`f${place}`, value]));

const load = (text: string) => runAtOnce(readOwnData(text));

const filterPosts = (items: readonly unknown[], like: string) =>
  runAtOnce(list0(items, new Map([['a_like', [like]]]), 'http://localhost/c')).items.length;

const costlyPattern = '[a]b';

/** Returns how many checks matching the pattern with a text needs. */
function costOf(text: string): number {
  let spent = 0;
  const budget = new CheckBudget();
  budget.spend = (checks) => {
    spent += checks;
  };
  matchesPattern(text, costlyPattern, budget, true);
  return spent;
}

/** Returns items that together cost this many checks, which must be even: a text costs 30, and 4 for each character. */
function itemsThatCost(checks: number): readonly object[] {
  const largest = { a: 'a'.repeat(10_000) };
  const items: object[] = Array(Math.floor(checks / costOf(largest.a)) - 1).fill(largest);
  let rest = checks - items.length * costOf(largest.a);
  for (; rest % 4 !== 2 || rest > costOf(largest.a); rest -= 30) items.push({ a: '' });
  return [...items, { a: 'a'.repeat((rest - 30) / 4) }];
}

function copied(value: unknown): unknown {
  return applyJsonPatch({ a: value }, parseJsonPatch([{ op: 'copy', from: '/a', path: '/b' }]));
}

/** Schemas inside each other, and the name of the innermost field. */
function nestedSchema(depth: number): { schema: object; name: string } {
  let schema: object = {};
  for (let level = 0; level < depth; level++) schema = { properties: { a: schema } };
  return { schema, name: Array(depth).fill('a').join('.') };
}

/** Objects with two members each, more than any limit allows. */
const pairs = Array.from({ length: 120_000 }, (_, place) =>
  JSON.stringify({ [`a${place % 400}`]: 1, [`b${Math.floor(place / 400)}`]: 1 }),
).join(',');
const names = Object.keys(wide(21_000)).map((name) => `"${name}":1`);

/**
 * Returns data that counts this number of names, or of beginnings of lists of names. Those with equal hashes count once, so
 * a longer text is cut where it counts one more.
 */
function dataWith(of: 'maxNames' | 'maxShapes', size: number): string {
  const start = '{"c":[{"id":1,';
  const text = of === 'maxNames' ? `${start}${names}` : `${start}"x":[${pairs}`;
  const unlimited = { maxDepth: 20, maxValues: 1e9, maxNames: 1e9, maxShapes: 1e9 };
  const { excess } = surveyJson(text, { ...unlimited, [of]: size });
  const cut = text.slice(0, excess?.offset).replace(/,$/, '');
  return `${cut}${of === 'maxNames' ? '' : '}]'}}]}`;
}

/** A faulty document, whose parts are counted before. */
function faultOfYaml(text: string): string {
  try {
    parseYaml(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

export const dataRules: readonly Rule[] = [
  {
    limit: 'kit/json-server/list-0.ts#maxMatchedCharacters',
    value: 10_000,
    accepts: (size) => filterPosts([{ a: `${'a'.repeat(size - 1)}z` }], '[z]') === 1,
  },
  {
    limit: 'kit/json-server/list-0.ts#maxPatternChecks',
    value: 20_000_000,
    // Only even numbers of checks are possible.
    accepts: (size) =>
      isWithout(/takes too long/, () =>
        filterPosts(itemsThatCost(size + (size % 2)), costlyPattern),
      ),
  },
  {
    limit: 'areas/data/json-server/rewrite-routes.ts#maxTargetLength',
    value: 2000,
    accepts(size) {
      const target = `/json-server/a/${'x'.repeat(size - '/json-server/a/'.length)}`;
      const rewrite = routeRewriter([{ from: '/a/*', to: '/b/$1' }], '/json-server');
      return rewrite(target).startsWith('/json-server/b/');
    },
  },
  {
    limit: `${loading}/infer-shape.ts#maxProperties`,
    value: 1000,
    accepts: (size) => inferShape([wide(size)]).properties.size === size,
  },
  {
    limit: `${loading}/infer-shape.ts#maxShapes`,
    value: 5000,
    accepts(size) {
      // Ten objects and their members are 4,990; another object has the rest.
      const record = { ...wide(10, wide(498)), rest: wide(size - 4991) };
      return countShapes(inferShape([record])) === size + 1;
    },
  },
  {
    limit: `${loading}/own-relations.ts#maxFieldLength`,
    value: 110,
    accepts(size) {
      const word = 'x'.repeat(size);
      return new OwnRelations([`${word}s`], usualFieldNames).parentsOf(word) !== undefined;
    },
  },
  {
    limit: `${loading}/own-relations.ts#maxRelations`,
    value: 1000,
    accepts(size) {
      const fields = Array.from({ length: size }, (_, place) => [`c${place}`, ['userId']] as const);
      const relations = new OwnRelations(['users'], usualFieldNames);
      return relations.among(new Map(fields)).length === size;
    },
  },
  {
    limit: `${loading}/read-own-data.ts#maxDataNames`,
    value: 20_000,
    accepts: (size) =>
      isWithout(/more than 20000 different names/, () => load(dataWith('maxNames', size))),
  },
  {
    limit: `${loading}/read-own-data.ts#maxDataShapes`,
    value: 100_000,
    accepts: (size) =>
      isWithout(/more than 100000 different beginnings/, () => load(dataWith('maxShapes', size))),
  },
  {
    limit: `${query}/declared-names.ts#maxDepth`,
    value: 21,
    accepts(size) {
      const { schema, name } = nestedSchema(size);
      return declaredNames(schema, 'id')?.names.includes(name) ?? false;
    },
  },
  {
    limit: `${query}/declared-names.ts#maxNames`,
    value: 2000,
    accepts(size) {
      const last = { properties: { inner: {} } };
      const properties = { ...wide(size - 1, {}), last };
      return declaredNames({ properties }, 'id')?.names.includes('last.inner') ?? false;
    },
  },
  {
    limit: `${query}/own-fields.ts#maxFields`,
    value: 500,
    accepts: (size) => ownFields(inferShape([{ id: 1, ...wide(size - 1) }])).length === size,
  },
  {
    limit: `${query}/own-fields.ts#maxNameLength`,
    // Names must be shorter than 1,000 characters.
    value: 999,
    accepts: (size) => ownFields(inferShape([{ ['x'.repeat(size)]: 1 }])).length === 2,
  },
  {
    limit: `${patch}#maxMovedCharacters`,
    value: 2 * 1024 * 1024,
    accepts: (size) =>
      isWithout(/copies or moves more than/, () => copied('x'.repeat(size - '""'.length))),
  },
  {
    limit: `${patch}#maxMovedValues`,
    value: 100_000,
    accepts: (size) =>
      isWithout(/copies or moves more than/, () => copied(Array(size - 1).fill(1))),
  },
  {
    limit: 'areas/data/source/index-records.ts#maxIdLength',
    value: 200,
    accepts: (size) => idText('x'.repeat(size)) !== undefined,
  },
  {
    limit: 'areas/data/write/parse-yaml.ts#maxProperties',
    value: 5000,
    accepts: (size) => !/^More than 5000 anchors/.test(faultOfYaml(`${'&a '.repeat(size)}1`)),
  },
  {
    limit: 'areas/data/write/parse-yaml.ts#maxItems',
    value: 2000,
    accepts: (size) => !/^More than 1000 values/.test(faultOfYaml(`[${',1'.repeat(size)}]`)),
  },
];
