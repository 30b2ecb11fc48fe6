/** Orders the tests that `npm cit` selects for a changed file: what is most likely to notice a change comes first. */

import { reachesState, reachOf } from '../../scripts/tests/reach.js';
import { selectTests } from '../../scripts/tests/select-tests.js';
import { isSlow, projectNames, testFiles } from '../../scripts/tests/test-files.js';

/**
 * @typedef {import('../../scripts/tests/test-files.js').ProjectName} ProjectName
 * @typedef {Partial<Record<ProjectName, readonly string[]>>} Tests
 *
 * @typedef {object} Stage Tests that run in one process, project after project
 * @property {string} name
 * @property {Tests} tests
 * @property {boolean} isOfPackage Whether it needs a build
 */

/** Tests of the package that are about the descriptions of all areas. */
const aboutAllAreas = ['test/openapi/', 'test/downloads/'];

/**
 * Returns the tests of a changed file. Other files of the package and before replicas run only if the change reaches them: all
 * of them need minutes.
 *
 * @param {string} file
 * @param {number} seed
 * @param {import('../../scripts/tests/test-files.js').FilesByProject} [files]
 * @returns {Stage[]}
 */
export function stagesOf(file, seed, files = testFiles()) {
  const changes = { since: 'the change of a mutant', files: [file] };
  const selected = selectTests({ mode: 'quick', seed, changes, files });
  const tests = [...new Set(projectNames.flatMap((name) => selected.files[name]))];
  const distances = new Map([
    ...(reachesState([file]) ? selected.files.later : []).map(
      (test) => /** @type {const} */ ([test, 1]),
    ),
    ...reachOf([file], tests),
  ]);
  const distanceOf = (/** @type {string} */ test) => distances.get(test) ?? 0;
  const near = (/** @type {readonly string[]} */ list) =>
    list
      .filter((test) => distances.has(test))
      .sort((a, b) => Number(isSlow(a)) - Number(isSlow(b)) || distanceOf(a) - distanceOf(b));
  const far = (/** @type {readonly string[]} */ list) =>
    list.filter((test) => !distances.has(test) && !isSlow(test));
  const { memory, heap, later, package: ofPackage, redis } = selected.files;
  const described = far(ofPackage).filter((test) =>
    aboutAllAreas.some((folder) => test.startsWith(folder)),
  );
  const stages = [
    { name: 'near', tests: { memory: near(memory), heap: near(heap) }, isOfPackage: false },
    { name: 'later', tests: { later: near(later) }, isOfPackage: false },
    { name: 'package', tests: { package: [...near(ofPackage), ...described] }, isOfPackage: true },
    {
      name: 'replicas',
      tests: { redis: near(redis), replicas: near(selected.replicas.reached) },
      isOfPackage: false,
    },
    { name: 'far', tests: { memory: far(memory) }, isOfPackage: false },
    { name: 'far, later', tests: { later: far(later) }, isOfPackage: false },
  ];
  return withTests(stages, () => true);
}

/**
 * Returns the stages with a part of their tests, and without those that have none.
 *
 * @param {readonly Stage[]} stages
 * @param {(project: string, test: string) => boolean} isPart
 * @returns {Stage[]}
 */
export function withTests(stages, isPart) {
  return stages
    .map((stage) => ({
      ...stage,
      tests: Object.fromEntries(
        Object.entries(stage.tests).map(([project, list]) => [
          project,
          list.filter((test) => isPart(project, test)),
        ]),
      ),
    }))
    .filter(({ tests }) => Object.values(tests).flat().length > 0);
}

/**
 * Returns the tests up to and with a file of them; all if none is given.
 *
 * @param {Tests} tests
 * @param {{project: string, file: string}} [last]
 * @returns {Tests}
 */
export function upTo(tests, last) {
  if (last === undefined) return tests;
  const entries = Object.entries(tests);
  const place = entries.findIndex(([project]) => project === last.project);
  return Object.fromEntries(
    entries.slice(0, place + 1).map(([project, list]) => {
      const end = project === last.project ? list.indexOf(last.file) + 1 : list.length;
      return [project, list.slice(0, end)];
    }),
  );
}

/**
 * @param {Tests} tests
 * @param {ReadonlySet<string>} excluded Projects and files, with a space in between
 * @returns {Tests}
 */
export const without = (tests, excluded) =>
  Object.fromEntries(
    Object.entries(tests).map(([project, list]) => [
      project,
      list.filter((file) => !excluded.has(`${project} ${file}`)),
    ]),
  );
