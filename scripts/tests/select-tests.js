/** Chooses the test files of a run. */

import { turnOf } from './changes.js';
import { namesInOrder, namesInTurn } from './in-turn.js';
import { reachesState, reachOf } from './reach.js';
import { isSlow, projectNames, testFiles } from './test-files.js';

/** The numbers of parts of slow files and of files before replicas; a run has one part of each in turn. */
export const parts = { slow: 16, replicas: 10 };

/**
 * The nearest files that changes reach, beside those whose turn it is: a change of what every test uses reaches all of them,
 * which is the whole.
 */
const mostReached = { slow: 12, replicas: 20 };

/**
 * @typedef {'fast' | 'quick' | 'whole'} Mode
 *   `fast`: no slow files; `quick`: also those that changes reach, and a part of the others in turn; `whole`: all
 *
 * @typedef {import('./test-files.js').ProjectName} ProjectName
 * @typedef {import('./test-files.js').FilesByProject} FilesByProject
 *
 * @typedef {object} Choice
 * @property {readonly string[]} reached Nearest first
 * @property {readonly string[]} inTurn
 * @property {readonly string[]} leftOut
 *
 * @typedef {object} Selection
 * @property {Mode} mode
 * @property {FilesByProject} files
 * @property {string} since What changes were compared with
 * @property {Choice} slow
 * @property {Choice} replicas
 */

/**
 * Returns the mode for the environment and the arguments of vitest. Named files run with all of their cases.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {readonly string[]} args
 * @returns {Mode}
 */
export function modeOf(environment, args) {
  const { PRACTICE_DEEP, PRACTICE_WHOLE, PRACTICE_SLOW } = environment;
  if (PRACTICE_DEEP !== undefined || PRACTICE_WHOLE !== undefined || namesFiles(args))
    return 'whole';
  return PRACTICE_SLOW === 'none' ? 'fast' : 'quick';
}

const commands = new Set(['bench', 'dev', 'list', 'related', 'run', 'watch']);

/**
 * Whether vitest would run only some files: an argument is a part of the path of a test, and neither an option, the value of
 * one, nor a command.
 *
 * @param {readonly string[]} args
 */
function namesFiles(args) {
  const paths = Object.values(testFiles()).flat();
  return args.some((argument, place) => {
    if (argument.startsWith('-') || commands.has(argument)) return false;
    const mayBeValue = /^-[^=]*$/.test(args[place - 1] ?? '');
    const [path = ''] = argument.split(':');
    const isFound = paths.some((each) => each.includes(path.replace(/^\.\//, '')));
    return isFound && (argument.includes('/') || !mayBeValue);
  });
}

/**
 * Returns the files of a run.
 *
 * @param {object} options
 * @param {Mode} options.mode
 * @param {number} options.seed The turn is its last digits
 * @param {import('./changes.js').Changes} options.changes
 * @param {FilesByProject} [options.files]
 * @returns {Selection}
 */
export function selectTests({ mode, seed, changes, files = testFiles() }) {
  const slowFiles = [...files.package, ...files.heap, ...files.memory].filter(isSlow);
  const reached =
    mode === 'quick' ? reachOf(changes.files, [...slowFiles, ...files.replicas]) : new Map();
  const turn = turnOf(seed);
  const slow = choose('slow', slowFiles, { mode, turn, reached });
  // The nearest for all areas with state, if changes reach where it is kept.
  const all = reachesState(changes.files) ? new Map(files.replicas.map((file) => [file, 1])) : [];
  const replicas = choose('replicas', files.replicas, {
    mode,
    turn,
    reached: new Map([...reached, ...all]),
  });
  const leftOut = new Set(slow.leftOut);
  /** @param {readonly string[]} list */
  const chosenOf = (list) => list.filter((file) => !leftOut.has(file));
  return {
    mode,
    since: changes.since,
    slow,
    replicas,
    files: {
      package: chosenOf(files.package),
      // A pair is chosen by itself: a slow file may run here that does not run in memory.
      replicas: [...replicas.reached, ...replicas.inTurn].sort(),
      redis: files.redis,
      heap: chosenOf(files.heap),
      later: chosenOf(files.later),
      memory: chosenOf(files.memory),
    },
  };
}

/**
 * Chooses from files that cannot all be in each run: the nearest that changes reach, and the part whose turn it is.
 *
 * @param {keyof typeof parts} kind
 * @param {readonly string[]} files
 * @param {{mode: Mode, turn: number, reached: ReadonlyMap<string, number>}} from
 * @returns {Choice}
 */
function choose(kind, files, { mode, turn, reached }) {
  if (mode === 'fast') return { reached: [], inTurn: [], leftOut: files };
  if (mode === 'whole') return { reached: [], inTurn: files, leftOut: [] };
  const inTurn = namesInTurn(kind, files, parts[kind], turn);
  const distanceOf = (/** @type {string} */ file) => reached.get(file) ?? Number.POSITIVE_INFINITY;
  // Each turn prefers others of the files at the same distance.
  const nearest = namesInOrder(`${kind} reached`, files, turn)
    .filter((file) => reached.has(file))
    .sort((a, b) => distanceOf(a) - distanceOf(b))
    .slice(0, mostReached[kind]);
  const chosen = new Set([...nearest, ...inTurn]);
  return {
    reached: nearest,
    inTurn: inTurn.filter((file) => !nearest.includes(file)),
    leftOut: files.filter((file) => !chosen.has(file)),
  };
}

/**
 * Describes what a run has and what it leaves out, in lines.
 *
 * @param {Selection} selection
 * @returns {string[]}
 */
export function describeSelection({ mode, since, files, slow, replicas }) {
  const counts = projectNames.map((name) => `${name} ${files[name].length}`).join(', ');
  if (mode === 'whole') return [`Selected: all test files with all cases (${counts}).`];
  const lines = [`Selected test files: ${counts}.`];
  if (mode === 'fast') return [...lines, `Left out: ${slow.leftOut.length} slow files.`];
  lines.push(`Changes are those since ${since}.`);
  const choices = { 'slow files': slow, 'files before replicas': replicas };
  for (const [kind, { reached, inTurn, leftOut }] of Object.entries(choices)) {
    const all = reached.length + inTurn.length + leftOut.length;
    lines.push(`Of ${all} ${kind}:`);
    lines.push(`  reached by changes, ${reached.length}: ${reached.join(' ') || 'none'}`);
    lines.push(`  in turn, ${inTurn.length}: ${inTurn.join(' ')}`);
    lines.push(`  left out, ${leftOut.length}: ${byFolder(leftOut)}`);
  }
  return [...lines, 'For all of them, use PRACTICE_WHOLE=1 or name the file.'];
}

/** @param {readonly string[]} files */
function byFolder(files) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const file of files) {
    const folder = file.split('/').slice(0, 2).join('/');
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([folder, count]) => `${folder} ${count}`).join(', ');
}
