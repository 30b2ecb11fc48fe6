import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  // Earlier results are cleared, and no program can be found.
  vi.resetModules();
  vi.stubEnv('PATH', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.resetModules();
});

test('a missing program is reported once, with the package to install', async () => {
  vi.stubEnv('CI', '');
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const { missingPrograms } = await import('./find-program.js');
  expect(missingPrograms(['openssl', 'httpie'])).toEqual(['openssl', 'httpie']);
  expect(missingPrograms(['httpie'])).toEqual(['httpie']);
  expect(log.mock.calls.flat()).toEqual([
    'Skipped: tests that need openssl, which is not installed.',
    'Skipped: tests that need httpie, which is not installed.',
  ]);
});

test('in CI nothing is skipped: a missing program is a failure', async () => {
  vi.stubEnv('CI', 'true');
  const { missingPrograms } = await import('./find-program.js');
  expect(() => missingPrograms(['httpie'])).toThrow('some need httpie, which is not installed');
});
