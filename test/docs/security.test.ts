import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variablesOf } from '../../src/config/config.js';
import { settings } from '../../src/program/run-program.js';

const root = new URL('../../', import.meta.url);
const text = readFileSync(new URL('SECURITY.md', root), 'utf8');

test('every test that SECURITY.md links to exists', () => {
  const files = [...text.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(30);
  for (const file of files) expect(existsSync(new URL(file, root)), file).toBe(true);
});

/** Environment variables of tools, not of the service. */
const ofNode = ['NODE_OPTIONS'];

test('every setting that documents for operators name exists', () => {
  const known = [...variablesOf(settings), ...ofNode];
  const pages = ['SECURITY.md', 'docs/hosting.md', 'docs/configuration.md'];
  const pattern = /`([A-Z]+(?:_[A-Z]+)+)(?:[=`])/g;
  for (const page of pages) {
    const named = [...readFileSync(new URL(page, root), 'utf8').matchAll(pattern)];
    for (const [, name] of named) expect(known, page).toContain(name);
  }
});

test('each threat has one row in its table', () => {
  const tables = text.split('\n\n').filter((part) => part.startsWith('| Threat'));
  expect(tables.length).toBeGreaterThan(3);
  for (const rows of tables) {
    const threats = [...rows.matchAll(/^\| ([^|]+) \|/gm)].map(([, threat]) => threat);
    expect(threats.filter((name, index) => threats.indexOf(name) !== index)).toEqual([]);
  }
});
