/**
 * Checks the package as npm would publish it: `npm run package-check`. It must contain all texts of
 * the build; publint checks its files, and the compiler its types for importers with each module
 * resolution.
 */

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiler } from './build.js';

/** A package is downloaded by each run of `npx` on a new machine. */
const mostBytes = 3_000_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-api-package-'));
const importer = join(folder, 'importer');

try {
  // The build is up to date, so packing must not repeat it.
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]);
  const [tarball = ''] = readdirSync(folder);
  run('npx', ['publint', 'run', '--strict', join(folder, tarball)]);
  const home = unpack(join(folder, tarball));
  checkTexts(home);
  checkSize(join(folder, tarball));
  checkTypes();
} catch (error) {
  // A failed tool has printed the reason.
  if (!(error instanceof Error && 'status' in error)) console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Unpacks the package below the folder of a program that imports it, and returns its folder.
 *
 * @param {string} tarball
 */
function unpack(tarball) {
  const home = join(importer, 'node_modules/practice-api');
  mkdirSync(home, { recursive: true });
  run('tar', ['-xzf', tarball, '-C', home, '--strip-components=1']);
  return home;
}

/**
 * Checks the texts. Without one, the service would make it while requests wait, and no other test
 * would notice.
 *
 * @param {string} home
 */
function checkTexts(home) {
  const filesIn = (/** @type {string} */ packageFolder) =>
    readdirSync(join(packageFolder, 'dist/texts'), { recursive: true }).sort().join('\n');
  if (filesIn(home) !== filesIn(root)) throw new Error('The package lacks texts of dist/texts/.');
}

/** @param {string} tarball */
function checkSize(tarball) {
  const { size } = statSync(tarball);
  if (size > mostBytes)
    throw new Error(`The package has ${size} bytes; at most ${mostBytes} are allowed.`);
  console.log(`The package has ${size} bytes.`);
}

/** Compiles a program that imports the package, with every declaration file of the package checked. */
function checkTypes() {
  // The types import other packages, which must be found above the importer.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const program = join(importer, 'main.ts');
  writeFileSync(
    program,
    `import { createService, type Service, type ServiceOptions } from 'practice-api';
     const options: ServiceOptions = { port: 0 };
     const service: Service = await createService(options);
     export const url: string = service.url;
     // @ts-expect-error: what has the type any would take this
     export const wrong: symbol = service.url;`,
  );
  writeFileSync(join(importer, 'package.json'), '{"type":"module"}');
  const resolutions = { nodenext: 'nodenext', esnext: 'bundler' };
  for (const [module, resolution] of Object.entries(resolutions)) {
    run(process.execPath, [
      ...[
        compiler,
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--target',
        'es2023',
        '--types',
        'node',
      ],
      ...['--module', module, '--moduleResolution', resolution, program],
    ]);
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}
