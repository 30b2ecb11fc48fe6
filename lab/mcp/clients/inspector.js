/**
 * Requests of the Inspector's command line, one process each; it has no subscriptions. Arguments:
 * the program of the Inspector, and a URL. Below `/protected`, it gets a token as a header, because
 * its own login needs a browser.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { Login } from '../../../test/clients/mcp/log-in.mjs';
import { tokenFor } from '../../../test/clients/mcp/token-for.mjs';

const [program = '', url = ''] = process.argv.slice(2);
const header = url.endsWith('/protected')
  ? ['--header', `Authorization: Bearer ${await tokenFor(url, new Login())}`]
  : [];

for (const era of ['legacy', 'modern']) {
  const { tools } = run(era, 'tools/list');
  assert.ok(tools.some((/** @type {any} */ { name }) => name === 'greet'));
  const greeting = run(era, 'tools/call', '--tool-name', 'greet', '--tool-arg', 'name=Ada');
  assert.equal(greeting.content[0].text, 'Hello, Ada!');
  assert.ok(run(era, 'resources/list').resources.length > 0);
  const { contents } = run(era, 'resources/read', '--uri', 'practice://books/1');
  assert.equal(JSON.parse(contents[0].text).id, 1);
  assert.ok(run(era, 'prompts/list').prompts.length > 0);
  const prompt = run(
    ...[era, 'prompts/get', '--prompt-name', 'describe_collection'],
    ...['--prompt-args', 'collection=books'],
  );
  assert.equal(prompt.messages.length, 2);
}

/**
 * @param {string} era
 * @param {string} method
 * @param {string[]} options
 */
function run(era, method, ...options) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      ...[program, '--cli', url, '--transport', 'http', '--protocol-era', era],
      ...['--method', method, ...options, ...header],
    ],
    { encoding: 'utf8', timeout: 30_000 },
  );
  assert.equal(status, 0, `${method}: ${stderr}${stdout}`);
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}
