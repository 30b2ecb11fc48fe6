/** The texts promise nothing that is not published: no package, image or repository is available yet. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readText, root, texts } from './pages.js';

const { repository } = JSON.parse(readText('package.json'));

function filesIn(folder: string, kind: RegExp): string[] {
  const names = readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => kind.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

const files = [
  ...texts,
  'package.json',
  ...filesIn('pages', /\.(?:html|ts)$/),
  ...filesIn('examples', /\.(?:md|js|py)$/),
  ...filesIn('src', /(?<!\.test)\.ts$/),
  ...filesIn('.github', /\.(?:yml|md)$/),
];

/** Commands that only work once the package is published. */
const fromRegistry =
  /\b(?:npx|npm (?:i|install|exec|x|add)\b[^|;&`\n]*|pnpm (?:add|dlx)|yarn (?:add|dlx)) (?:-\S+ )*(?:["']?)practice-api\b(?!\S*\.tgz)/;
/** Images come from a registry, unless the same text builds them. */
const fromImages =
  /docker pull \S*practice-api|(?:ghcr\.io|docker\.io|quay\.io)\/\S*practice-api|npmjs\.com\/package\/practice-api/;
const builds = /docker build (?:-t|--tag) practice-api\b|^\s*build:/m;

test.each(files)('%s promises nothing that is not published', (name) => {
  const text = readFileSync(new URL(name, root), 'utf8');
  const lines = text.split('\n').filter((line) => fromRegistry.test(line) || fromImages.test(line));
  expect(lines.filter((line) => !/once published/i.test(line))).toEqual([]);
  if (/docker run [^\n]*practice-api/.test(text)) expect(text).toMatch(builds);
});

test.each(files)('%s has no URL of a repository that does not exist', (name) => {
  const text = readFileSync(new URL(name, root), 'utf8');
  const own = repository?.url.replace(/^git\+|\.git$/g, '') ?? 'none';
  const named = [...text.matchAll(/https?:\/\/[^\s"'`)]*\/practice-api\b[^\s"'`)]*/g)].map(
    ([url]) => url,
  );
  expect(
    named.filter((url) => !url.startsWith(own) && !/localhost|127\.0\.0\.1/.test(url)),
  ).toEqual([]);
  const cloned = [...text.matchAll(/git clone ([^\s$`]+)/g)].map(([, url]) => url);
  expect(cloned.filter((url) => url !== own)).toEqual([]);
});

test('the README begins with commands that work from a clone', () => {
  const text = readText('README.md');
  const start = text.indexOf('npm ci && npm start');
  expect(start).toBeGreaterThan(0);
  expect(text.indexOf('npx practice-api')).toBeGreaterThan(start);
});

test.each([
  ['npx practice-api', true],
  ['npx --yes practice-api --port 4000', true],
  ['npm i -D practice-api', true],
  ['npm install practice-api', true],
  ['npm i -D ../practice-api/practice-api-0.1.0.tgz', false],
  ['npm --prefix practice-api start', false],
  ["import { createService } from 'practice-api'", false],
])('%s needs a published package: %s', (line, expected) => {
  expect(fromRegistry.test(line)).toBe(expected);
});
