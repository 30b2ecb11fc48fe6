/** A copy of the project in which files are changed, built and tested. */

import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {import('./stages.js').Tests} Tests
 * @typedef {{project: string, file: string, name?: string}} Place A test file, and a test of it
 *
 * @typedef {object} Run
 * @property {'passed' | 'failed' | 'silent'} outcome
 * @property {Place} [place] What failed, or what began last; missing if no file did
 * @property {string} output The end of it
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** Not copied: what is large and never changes is linked, the rest belongs to the original. */
const linked = ['node_modules', 'test/node_modules', 'lab/node_modules'];
const left = ['.git', '.cache', '.mutants', 'coverage', ...linked];

/** A test ends within one minute, and a hook within two: what says nothing for longer hangs. */
const longestSilenceMs = 5 * 60 * 1000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

export function stopRuns() {
  for (const child of running) stopGroup(child);
}

/** @param {import('node:child_process').ChildProcess} child */
function stopGroup({ pid }) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It ended by itself in this moment.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

export class Tree {
  /** The name of the sources that are built. */
  #built = 'original';
  /** @type {{file: string, source: string} | undefined} */
  #changed;

  /** @param {string} folder must not exist */
  constructor(folder) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    copyInto(folder, '');
    for (const packages of linked)
      if (existsSync(join(root, packages)))
        symlinkSync(join(root, packages), join(folder, packages));
  }

  /**
   * Changes a file until the next change or `restore`.
   *
   * @param {string} file
   * @param {string} source
   */
  change(file, source) {
    this.restore();
    const path = join(this.folder, file);
    this.#changed = { file, source: readFileSync(path, 'utf8') };
    writeFileSync(path, source);
  }

  restore() {
    if (this.#changed === undefined) return;
    writeFileSync(join(this.folder, this.#changed.file), this.#changed.source);
    this.#changed = undefined;
  }

  /**
   * Builds the service unless its build is the one of that name.
   *
   * @param {string} name of the present sources
   */
  async build(name) {
    if (this.#built === name) return true;
    this.#built = 'being built';
    rmSync(join(this.folder, '.cache'), { recursive: true, force: true });
    const bundle = "await (await import('./scripts/bundle-service.js')).bundleService()";
    for (const args of [['--input-type=module', '-e', bundle], ['scripts/build-texts.js']]) {
      const { outcome } = await this.#run(args, {});
      if (outcome !== 'passed') return false;
    }
    this.#built = name;
    return true;
  }

  /**
   * Runs tests up to the first failure.
   *
   * @param {Tests} tests
   * @param {number} seed
   * @returns {Promise<Run>}
   */
  test(tests, seed) {
    return this.#run([vitest, 'run', '--config', 'lab/mutants/vitest.config.ts'], {
      PRACTICE_MUTANT_TESTS: JSON.stringify(tests),
      PRACTICE_SEED: String(seed),
      PRACTICE_SLOW: 'none',
    });
  }

  /**
   * @param {readonly string[]} args
   * @param {Readonly<Record<string, string>>} environment
   * @returns {Promise<Run>}
   */
  #run(args, environment) {
    const { PRACTICE_WHOLE: _whole, PRACTICE_BUILT: _built, ...env } = process.env;
    // The process leads a group, so that the programs it starts are stopped with it.
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: { ...env, NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    running.add(child);
    return new Promise((resolve, reject) => {
      let output = '';
      let isSilent = false;
      const onSilence = () => {
        isSilent = true;
        stopGroup(child);
      };
      let timer = setTimeout(onSilence, longestSilenceMs);
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
          clearTimeout(timer);
          timer = setTimeout(onSilence, longestSilenceMs);
        });
      }
      child.once('error', reject);
      child.once('close', (status) => {
        clearTimeout(timer);
        stopGroup(child);
        running.delete(child);
        const place = placeIn(output, isSilent);
        const outcome = isSilent ? 'silent' : status === 0 ? 'passed' : 'failed';
        resolve({ outcome, output: output.slice(-3000), ...(place !== undefined && { place }) });
      });
    });
  }
}

/**
 * Returns the first failure, or in silence what was begun last.
 *
 * @param {string} output
 * @param {boolean} isSilent
 * @returns {Place | undefined}
 */
export function placeIn(output, isSilent) {
  const events = [...output.matchAll(/^\{"what".*\}$/gm)].map(([line]) => JSON.parse(line));
  const { what: _what, ...place } = isSilent
    ? (events.findLast(({ what }) => what === 'begun') ?? {})
    : (events.find(({ what }) => what === 'failed') ?? {});
  return place.file === undefined ? undefined : place;
}

/**
 * @param {string} folder
 * @param {string} path From the root, with a slash at its end
 */
function copyInto(folder, path) {
  for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
    const name = path + entry.name;
    if (left.includes(name)) continue;
    if (linked.some((each) => each.startsWith(`${name}/`))) {
      mkdirSync(join(folder, name));
      copyInto(folder, `${name}/`);
    } else cpSync(join(root, name), join(folder, name), { recursive: true });
  }
}
