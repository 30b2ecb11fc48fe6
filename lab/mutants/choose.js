/** Chooses the sample of careless changes by a seed, and leaves out those that change nothing. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { namesInOrder } from '../../scripts/tests/in-turn.js';
import { filesIn } from '../../scripts/tests/test-files.js';
import { mutantsOf, mutators } from './mutators.js';

/**
 * @typedef {import('./mutators.js').Mutant} Mutant
 *
 * @typedef {object} Equivalent A change that a person judged: it changes nothing that a caller or an operator could see
 * @property {string} file
 * @property {string} from The changed lines
 * @property {string} to
 * @property {string} reason
 */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Rooms that every area builds upon, which have a minimum as areas do. */
const coreRooms = ['wire', 'http', 'state', 'kit', 'app', 'faults', 'json-schema'];

/** The changes of each area and core room, if the sample is large enough. */
const minimum = 2;

/**
 * The area or the room of a file, by its path in `src/`. What is directly in `src/` assembles and starts the app.
 *
 * @param {string} file
 */
export function areaOf(file) {
  const [, room = '', area = '', ...rest] = file.split('/');
  if (room === 'areas' && rest.length > 0) return `areas/${area}`;
  return area === '' ? 'app' : room;
}

/**
 * Returns each careless change of the service.
 *
 * @param {readonly string[]} [within] Beginnings of paths; all if empty
 */
export function readMutants(within = []) {
  return filesIn('src')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => within.length === 0 || within.some((path) => file.startsWith(path)))
    .sort()
    .flatMap((file) => mutantsOf(file, readFileSync(`${root}${file}`, 'utf8')));
}

/** @param {{file: string, from: string, to: string}} mutant */
const keyOf = ({ file, from, to }) => [file, from, to].join('\n');

/**
 * Returns the changes without those that change nothing. Throws for an entry of the list that is no change of its file any
 * longer, or has no reason.
 *
 * @param {readonly Mutant[]} mutants Of all files that the list names
 * @param {readonly Equivalent[]} equivalents
 */
export function withoutEquivalents(mutants, equivalents) {
  const keys = new Set(mutants.map(keyOf));
  for (const entry of equivalents) {
    if (!keys.has(keyOf(entry)))
      throw new Error(`No change of ${entry.file} is: ${entry.from} → ${entry.to}`);
    if (!/\w+ \w+ \w+/.test(entry.reason))
      throw new Error(`The reason of a change of ${entry.file} is missing: ${entry.from}`);
  }
  const left = new Set(equivalents.map(keyOf));
  return mutants.filter((mutant) => !left.has(keyOf(mutant)));
}

/**
 * Returns the sample: of each area and core room at least two, the rest in proportion to the possible changes, with as many
 * kinds and files as possible.
 *
 * @param {readonly Mutant[]} mutants
 * @param {{sample: number, seed: number}} options
 * @returns {Mutant[]}
 */
export function chooseMutants(mutants, { sample, seed }) {
  const byArea = groupBy(mutants, ({ file }) => areaOf(file));
  const counts = new Map([...byArea].map(([area, own]) => [area, own.length]));
  return [...sharesOf(counts, sample, seed)].flatMap(([area, share]) =>
    chooseOfArea(byArea.get(area) ?? [], share, seed),
  );
}

/**
 * @param {ReadonlyMap<string, number>} counts Of possible changes
 * @param {number} sample
 * @param {number} seed
 * @returns {Map<string, number>}
 */
export function sharesOf(counts, sample, seed) {
  const areas = namesInOrder('areas of mutants', [...counts.keys()].sort(), seed);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const shares = new Map(areas.map((area) => [area, 0]));
  const isRequired = (/** @type {string} */ area) =>
    area.startsWith('areas/') || coreRooms.includes(area);
  /** @param {string} area */
  const missing = (area) => {
    const [share = 0, count = 0] = [shares.get(area), counts.get(area)];
    if (share >= count) return Number.NEGATIVE_INFINITY;
    // Areas below their minimum come first, those with the fewest changes before all.
    if (isRequired(area) && share < minimum) return sample + minimum - share;
    return (sample * count) / all - share;
  };
  for (let left = Math.min(sample, all); left > 0; left -= 1) {
    const [next = ''] = areas.toSorted((a, b) => missing(b) - missing(a));
    shares.set(next, (shares.get(next) ?? 0) + 1);
  }
  return shares;
}

/**
 * @param {readonly Mutant[]} mutants
 * @param {number} share
 * @param {number} seed
 */
function chooseOfArea(mutants, share, seed) {
  const [first] = mutants;
  if (first === undefined || share === 0) return [];
  const kinds = namesInOrder(`kinds of ${areaOf(first.file)}`, Object.keys(mutators), seed);
  const byName = new Map(mutants.map((mutant) => [nameOf(mutant), mutant]));
  const ordered = namesInOrder('mutants', [...byName.keys()], seed).flatMap(
    (name) => byName.get(name) ?? [],
  );
  /** @type {Set<Mutant>} */
  const chosen = new Set();
  for (let round = 0; chosen.size < Math.min(share, ordered.length); round += 1) {
    const kind = kinds[round % kinds.length];
    const left = ordered.filter((mutant) => mutant.kind === kind && !chosen.has(mutant));
    const files = new Set([...chosen].map(({ file }) => file));
    const next = left.find(({ file }) => !files.has(file)) ?? left[0];
    if (next !== undefined) chosen.add(next);
  }
  return [...chosen];
}

/**
 * Distinguishes the changes of a file, as long as its lines are the same.
 *
 * @param {Mutant} mutant
 */
export const nameOf = ({ file, line, kind, from, to }) => `${kind} ${file}:${line} ${from} → ${to}`;

/**
 * @template Value
 * @param {readonly Value[]} values
 * @param {(value: Value) => string} nameOf
 */
export function groupBy(values, nameOf) {
  /** @type {Map<string, Value[]>} */
  const groups = new Map();
  for (const value of values)
    groups.set(nameOf(value), [...(groups.get(nameOf(value)) ?? []), value]);
  return groups;
}
