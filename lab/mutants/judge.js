/** Finds out whether a test notices a change. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameOf } from './choose.js';
import { apply } from './mutators.js';
import { stagesOf, upTo, without, withTests } from './stages.js';

/**
 * @typedef {import('./mutators.js').Mutant} Mutant
 * @typedef {import('./stages.js').Stage} Stage
 * @typedef {import('./tree.js').Run} Run
 *
 * @typedef {object} Tested What runs tests
 * @property {string} folder
 * @property {(file: string, source: string) => void} change
 * @property {() => void} restore
 * @property {(name: string) => Promise<boolean>} build
 * @property {(tests: import('./stages.js').Tests, seed: number) => Promise<Run>} test
 */

export class Judge {
  /** Files that fail without a change, with their projects. */
  #excluded = new Set();
  /** Lists of tests that passed without a change. */
  #passed = new Set();

  /**
   * @param {number} seed of the tests
   * @param {object} [options]
   * @param {(file: string, seed: number) => readonly Stage[]} [options.stages]
   * @param {import('./reached/reached.js').Reached} [options.reached] Without it, all tests of the stages run
   */
  constructor(seed, { stages = stagesOf, reached } = {}) {
    this.seed = seed;
    this.stages = stages;
    this.reached = reached;
  }

  get excluded() {
    return [...this.#excluded];
  }

  /**
   * @param {Mutant} mutant
   * @param {Tested} tree
   * @returns {Promise<import('./verdict.js').Judged>}
   */
  async judge(mutant, tree) {
    const { file, edit } = mutant;
    const name = nameOf(mutant);
    const source = apply(readFileSync(join(tree.folder, file), 'utf8'), edit);
    const stages = withTests(
      this.stages(file, this.seed),
      (project, test) => this.reached?.mayNotice(project, test, mutant) ?? true,
    );
    try {
      for (const stage of stages) {
        tree.change(file, source);
        if (stage.isOfPackage && !(await tree.build(name)))
          return { name, file, isFound: true, by: 'the build' };
        const by = await this.#noticedIn(stage, tree, { name, file, source });
        if (by !== undefined) return { name, file, isFound: true, by };
      }
    } finally {
      tree.restore();
    }
    const count = stages.flatMap(({ tests }) => Object.values(tests).flat()).length;
    return { name, file, isFound: false, by: `${count} test files` };
  }

  /**
   * Returns which test notices a change. A failure counts if the same tests pass without the change; otherwise the file that
   * fails without it is excluded from the whole run.
   *
   * @param {Stage} stage
   * @param {Tested} tree
   * @param {{name: string, file: string, source: string}} changed
   * @returns {Promise<string | undefined>}
   */
  async #noticedIn(stage, tree, { name, file, source }) {
    for (;;) {
      const tests = without(stage.tests, this.#excluded);
      const run = await tree.test(tests, this.seed);
      if (run.outcome === 'passed') return undefined;
      tree.restore();
      const failing = await this.#failingWithout({ ...stage, tests: upTo(tests, run.place) }, tree);
      if (failing === undefined) {
        const { project = '', file = 'a test', name = '' } = run.place ?? {};
        const how = run.outcome === 'silent' ? ' (hangs)' : '';
        return `${project} ${file} ${name}${how}`.trim();
      }
      this.#excluded.add(failing);
      tree.change(file, source);
      if (stage.isOfPackage && !(await tree.build(name))) return 'the build';
    }
  }

  /**
   * @param {Stage} stage
   * @param {Tested} tree Without changes
   * @returns {Promise<string | undefined>} A project and a file
   */
  async #failingWithout({ tests, isOfPackage }, tree) {
    const key = JSON.stringify(tests);
    if (this.#passed.has(key)) return undefined;
    if (isOfPackage && !(await tree.build('original')))
      throw new Error('The service cannot be built without a change.');
    const { outcome, place, output } = await tree.test(tests, this.seed);
    if (outcome === 'passed') {
      this.#passed.add(key);
      return undefined;
    }
    if (place === undefined) throw new Error(`No test runs without a change:\n${output}`);
    return `${place.project} ${place.file}`;
  }
}
