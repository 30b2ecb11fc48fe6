/**
 * Says whether a tag can be released, before anything is built: `node scripts/release/check-release.js v1.2.3`.
 * Prints the notes of the release. Otherwise the status is 1, and stderr has the reason in one line.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addressesOf } from './addresses.js';
import { releaseNotes } from './release-notes.js';

const root = new URL('../../', import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(new URL(path, root), 'utf8');

try {
  const project = JSON.parse(read('package.json'));
  addressesOf(project, publisher());
  const tag = process.argv[2];
  if (tag !== `v${project.version}`) {
    throw new Error(`The tag is ${tag}, but the version of package.json is ${project.version}.`);
  }
  console.log(releaseNotes(read('CHANGELOG.md'), project.version, publishedVersions()));
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}

/** Set by the forge; absent where someone tries the script. */
function publisher() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return server === undefined || name === undefined ? undefined : `${server}/${name}`;
}

function publishedVersions() {
  const options = /** @type {const} */ ({ cwd: fileURLToPath(root), encoding: 'utf8' });
  const tags = execFileSync('git', ['tag', '--list', 'v*'], options);
  return tags.split('\n').map((tag) => tag.slice(1));
}
