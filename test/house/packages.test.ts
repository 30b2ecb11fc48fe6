/** What `npm ci` installs, as the lock file has it: nothing that runs, warns or comes from one host alone. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly deprecated?: string;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
}

/** It is there with what others need; its types are not. */
const semver: { satisfies(version: string, range: string): boolean } = createRequire(
  import.meta.url,
)('semver');

const lock = new URL('../../package-lock.json', import.meta.url);
const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const all = Object.entries(packages).map(([path, locked]) => ({ path, ...locked }));

test('no package runs a script when it is installed', () => {
  expect(all.filter(({ hasInstallScript }) => hasInstallScript).map(({ path }) => path)).toEqual(
    [],
  );
});

test('no package is deprecated', () => {
  expect(all.filter(({ deprecated }) => deprecated).map(({ path }) => path)).toEqual([]);
});

test('every package runs on the oldest Node that the service runs on', () => {
  // What no platform has to install may ask for more: npm leaves it out without a word.
  const asking = all.filter(({ engines, optional }) => engines?.node && !optional);
  expect(asking.length).toBeGreaterThan(200);
  const tooNew = asking.filter(({ engines }) => !semver.satisfies('20.19.0', engines?.node ?? ''));
  expect(tooNew.map(({ path, engines }) => `${path}: ${engines?.node}`)).toEqual([]);
});

test('no package is bound to the registry that it was first taken from', () => {
  const bound = all.filter(({ resolved, link }) => resolved !== undefined && !link);
  expect(bound.map(({ path }) => path)).toEqual([]);
});

test('they are no more than they have to be', () => {
  // Some 760 with those of other platforms, of which a machine gets some 600; 36 are of WebAuthn, half of them one parser,
  // and 54 are of Express with its session, which a guide runs.
  expect(all.length).toBeLessThanOrEqual(760);
});
