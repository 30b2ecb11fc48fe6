/**
 * The packages that `npm ci` installs, according to the lock file: none runs a script, warns or
 * depends on one host.
 */

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

/** Installed as a dependency of others; its types are not. */
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
  // Optional packages of other platforms may require more: npm omits them silently.
  const asking = all.filter(({ engines, optional }) => engines?.node && !optional);
  expect(asking.length).toBeGreaterThan(200);
  const tooNew = asking.filter(({ engines }) => !semver.satisfies('20.19.0', engines?.node ?? ''));
  expect(tooNew.map(({ path, engines }) => `${path}: ${engines?.node}`)).toEqual([]);
});

test('no package is bound to one registry', () => {
  const bound = all.filter(({ resolved, link }) => resolved !== undefined && !link);
  expect(bound.map(({ path }) => path)).toEqual([]);
});

test('the number of packages is limited', () => {
  // Some 760 with other platforms' packages, of which a machine gets some 600; 36 belong to
  // WebAuthn, half of them one parser, and 54 to Express with its session, which a guide runs.
  expect(all.length).toBeLessThanOrEqual(760);
});
