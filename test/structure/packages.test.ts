/** The packages that npm installs, according to the lock files: none runs a script, warns or depends on one host. */

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';

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

const root = new URL('../../', import.meta.url);
/** Packages that a start needs, and packages that only tests need. */
const folders = { '.': '', test: 'test/' };

function lockedIn(folder: string) {
  const lock = readFileSync(new URL(`${folder}package-lock.json`, root), 'utf8');
  const { packages } = JSON.parse(lock) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return Object.entries(packages).map(([path, locked]) => ({ path, ...locked }));
}

describe.each(Object.entries(folders))('the packages of %s', (_name, folder) => {
  const all = lockedIn(folder);

  test('run no script when they are installed', () => {
    const scripted = all.filter(({ hasInstallScript }) => hasInstallScript);
    // Its script prints a line.
    const harmless = folder === '' ? [] : ['node_modules/@google/genai'];
    expect(scripted.map(({ path }) => path)).toEqual(harmless);
  });

  test('are not deprecated', () => {
    expect(all.filter(({ deprecated }) => deprecated).map(({ path }) => path)).toEqual([]);
  });

  test('run on the oldest Node that the service runs on', () => {
    // Optional packages of other platforms may require more: npm omits them silently.
    const asking = all.filter(({ engines, optional }) => engines?.node && !optional);
    expect(asking.length).toBeGreaterThan(100);
    const tooNew = asking.filter(
      ({ engines }) => !semver.satisfies('20.19.0', engines?.node ?? ''),
    );
    expect(tooNew.map(({ path, engines }) => `${path}: ${engines?.node}`)).toEqual([]);
  });

  test('are not bound to one registry', () => {
    const bound = all.filter(
      ({ resolved, link }) => resolved !== undefined && !link && /^\w+:/.test(resolved),
    );
    expect(bound.map(({ path }) => path)).toEqual([]);
  });
});

test('the number of packages is limited', () => {
  // With packages of other platforms. A start needs 36 for WebAuthn, 54 of tests are of Express with its session, and 54 of MCP clients; 57 more are clients of language models.
  expect(lockedIn(folders['.']).length).toBeLessThanOrEqual(360);
  expect(lockedIn(folders.test).length).toBeLessThanOrEqual(601);
});

test('tests get the packages that the service has too in the same version', () => {
  const versions = new Map(lockedIn(folders['.']).map(({ path, version }) => [path, version]));
  const wanted = JSON.parse(readFileSync(new URL('test/package.json', root), 'utf8'));
  const names = imported();
  const both = lockedIn(folders.test).filter(
    ({ path }) => versions.has(path) && names.has(path.replace('node_modules/', '')),
  );
  const undeclared = both.filter(
    ({ path }) => !(path.replace('node_modules/', '') in wanted.dependencies),
  );
  expect(undeclared.map(({ path }) => path)).toEqual([]);
  for (const { path, version } of both) {
    expect(version?.split('.')[0], path).toBe(versions.get(path)?.split('.')[0]);
  }
});

/** Returns the packages that files of `test/` import. */
function imported(): ReadonlySet<string> {
  const folder = new URL('test/', root);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.includes('node_modules'),
  );
  const texts = files.map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const names = texts.flatMap((text) => [
    ...text.matchAll(/(?:from|import\() ?'((?:@[^/']+\/)?[^./'][^/']*)/g),
  ]);
  return new Set(names.map(([, name = '']) => name));
}
