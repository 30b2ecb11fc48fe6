/** A data file that every sandbox begins with: read at the start, and again when it changes. */

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

const folder = mkdtempSync(join(tmpdir(), 'practice-api-data-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('every sandbox begins with the data of --data, and each changes its own', async () => {
  const path = file('db.json', '{"posts":[{"id":"1","title":"a title"}],"profile":{"name":"x"}}');
  const program = runProgram(['--port', '0', '--data', path]);
  const url = await program.started;
  expect(program.output().stdout).toContain(`${url}/my`);
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
  expect((await fetch(`${url}/s/one/my/posts`, post)).status).toBe(201);
  expect(await (await fetch(`${url}/s/one/my/posts`)).json()).toHaveLength(2);
  expect(await (await fetch(`${url}/s/two/my/posts`)).json()).toHaveLength(1);
  expect(await (await fetch(`${url}/my/posts/1`)).json()).toEqual({ id: '1', title: 'a title' });
  const emptied = await fetch(`${url}/s/two/api/sandbox/data`, { method: 'DELETE' });
  expect(emptied.status).toBe(204);
  expect((await fetch(`${url}/s/two/my/posts`)).status).toBe(404);
  await fetch(`${url}/s/two/api/sandbox`, { method: 'DELETE' });
  expect((await fetch(`${url}/s/two/my/posts`)).status).toBe(200);
});

test.each([
  ['does not exist', () => join(folder, 'none.json'), 'but the file does not exist.'],
  [
    'is broken',
    () => file('broken.json', '{"posts":[\n{"id":1,}]}'),
    'but the data is invalid JSON at line 2, column 9: no comma may precede }.',
  ],
  [
    'has schemas of too many parts',
    () =>
      file('schemas.json', `{"$schemas":{"a":{"required":[${'"x",'.repeat(8000)}"x"]}},"a":[{}]}`),
    'but $schemas have more than 2000 parts; each keyword, list item and name is one, a pattern more, at line 1, column 13.',
  ],
  [
    'has a malformed reference',
    () => file('reference.json', '{"$schemas":{"a":{"items":{"$ref":"#/a~2"}}},"a":[]}'),
    'but $schemas.a.items.$ref has "~2" at character 4: 0 or 1 must follow ~, as in ~0 for ~ and ~1 for /, at line 1, column 35.',
  ],
])(
  'a file that %s is reported in one line, and ends the program with 2',
  async (_name, path, line) => {
    const program = runProgram(['--port', '0'], { DATA: path() });
    expect((await program.ended).code).toBe(2);
    const { stdout, stderr } = program.output();
    expect(stdout).toBe('');
    expect(stderr).toBe(`DATA is ${JSON.stringify(path())}, ${line}\n`);
  },
);

test('--watch reads the file again; a broken one keeps the old data, and logs a line', async () => {
  const path = file('watched.json', '{"posts":[{"id":1}]}');
  const program = runProgram(['--port', '0', '--watch', '--data', path]);
  const url = await program.started;
  const posts = async () => (await fetch(`${url}/my/posts`)).json();
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
  await fetch(`${url}/s/mine/my/posts`, post);
  expect(await posts()).toEqual([{ id: 1 }]);

  writeFileSync(path, '{"posts":[{"id":2}]}');
  await expect.poll(posts, { timeout: 20_000 }).toEqual([{ id: 2 }]);
  // Changes to the previous data are lost.
  expect(await (await fetch(`${url}/s/mine/my/posts`)).json()).toEqual([{ id: 2 }]);

  writeFileSync(path, '{"posts":[{"id":2},');
  await expect
    .poll(() => program.output().stdout, { timeout: 20_000 })
    .toContain('watched.json: the data is invalid JSON at line 1');
  expect(await posts()).toEqual([{ id: 2 }]);

  writeFileSync(path, `{"$schemas":{"posts":{"enum":[${'1,'.repeat(3000)}1]}},"posts":[]}`);
  await expect
    .poll(() => program.output().stdout, { timeout: 20_000 })
    .toContain('watched.json: $schemas have more than 2000 parts');
  expect(await posts()).toEqual([{ id: 2 }]);

  // Editors do the same: a new file replaces it.
  renameSync(file('next.json', '{"posts":[{"id":3}]}'), path);
  await expect.poll(posts, { timeout: 20_000 }).toEqual([{ id: 3 }]);
});
