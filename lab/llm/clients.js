/**
 * Lets users of SDKs meet every broken stream, and prints a table of what they mishandle, as judged
 * by the service. Arguments: names of users; default: all. It needs an idle machine: an SDK whose
 * timeout ends a right stream mishandles it, and one whose timeout ends a broken stream handles it.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../../scripts/install-packages.js';
import { installLab } from '../install-lab.js';
import { findNode } from '../mcp/find-node.js';

installLab();
installPackages(new URL('../../test/', import.meta.url), 'tests');
const node = findNode();

const pinned = fileURLToPath(new URL('../../test', import.meta.url));
const newest = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

const chat = { endpoint: '/chat/completions' };
const responses = { endpoint: '/responses' };
const messages = { endpoint: '/messages' };
const gemini = { endpoint: ':streamGenerateContent' };
const ollama = { endpoint: '/api/chat' };

/** The packages that the version of a row is about, with the folders that have them. */
const rows = [
  { user: 'openai-chat', package: 'openai', folders: [pinned, newest], ...chat },
  { user: 'openai-responses', package: 'openai', folders: [pinned, newest], ...responses },
  { user: 'anthropic', package: '@anthropic-ai/sdk', folders: [pinned], ...messages },
  { user: 'ai-openai-chat', package: 'ai', folders: [pinned, newest], ...chat },
  { user: 'ai-openai-responses', package: 'ai', folders: [pinned, newest], ...responses },
  { user: 'ai-anthropic', package: 'ai', folders: [pinned, newest], ...messages },
  {
    user: 'langchain-openai-chat',
    package: '@langchain/openai',
    folders: [pinned, newest],
    ...chat,
  },
  {
    user: 'langchain-openai-responses',
    package: '@langchain/openai',
    folders: [pinned, newest],
    ...responses,
  },
  { user: 'langchain-anthropic', package: '@langchain/anthropic', folders: [pinned], ...messages },
  { user: 'gemini', package: '@google/genai', folders: [pinned], ...gemini },
  { user: 'ai-google', package: 'ai', folders: [pinned], ...gemini },
  { user: 'ollama', package: 'ollama', folders: [pinned], ...ollama },
];

const wanted = process.argv.slice(2);
const { createService } = await import(new URL('../../dist/index.js', import.meta.url).href);
const service = await createService();
/**
 * @typedef {{case: string, misbehave: string, at: string, nature: string, result?: string,
 *   endpoints: string[], natureAt?: Record<string, string>}} Case
 */
const planned = await fetch(`${service.url}/llm/test-plan`);
const plan = /** @type {readonly Case[]} */ (await planned.json());
console.log('| Client | Version | Endpoint | Handled | Mishandles | Not judged |');
console.log('| --- | --- | --- | --- | --- | --- |');
try {
  for (const row of rows) {
    if (wanted.length > 0 && !wanted.includes(row.user)) continue;
    for (const [index, folder] of row.folders.entries()) {
      console.log(await lineOf(row, folder, `${row.user}-${index}`));
    }
  }
} finally {
  await service.close();
}

/**
 * @param {(typeof rows)[number]} row
 * @param {string} folder
 * @param {string} sandbox
 */
async function lineOf({ user, package: name, endpoint }, folder, sandbox) {
  const own = plan.flatMap((each) => {
    const path = each.endpoints.find((own) => own.endsWith(endpoint));
    return path === undefined ? [] : { ...each, nature: each.natureAt?.[path] ?? each.nature };
  });
  const judged = await judge(user, folder, sandbox, own);
  const { version } = JSON.parse(
    readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'),
  );
  const having = (/** @type {string} */ outcome) =>
    own.filter((_, index) => judged[index]?.outcome === outcome);
  const handled = `${having('handled').length} of ${own.length}`;
  const open = own.filter((_, index) =>
    ['not-reached', 'unclear'].includes(judged[index]?.outcome ?? ''),
  );
  const lists = [grouped(having('mishandled'), own), grouped(open, own)];
  return `| ${[name, version, `\`${endpoint}\``, handled, ...lists].join(' | ')} |`;
}

/**
 * Lets a user meet cases, and returns the outcomes in their order.
 *
 * @param {string} user
 * @param {string} folder
 * @param {string} sandbox
 * @param {readonly Case[]} own
 */
async function judge(user, folder, sandbox, own) {
  const started = await fetch(`${service.url}/s/${sandbox}/llm/test-plan/runs`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ cases: own.map((each) => each.case) }),
  });
  const location = started.headers.get('location') ?? '';
  const urls = /** @type {object[]} */ (await started.json());
  const steps = urls.map((step, index) => ({
    ...step,
    nature: own[index]?.nature,
    result: own[index]?.result,
    hasTool: own[index]?.at === 'arguments',
  }));
  await run(user, folder, location, JSON.stringify(steps));
  return /** @type {Promise<{outcome: string}[]>} */ ((await fetch(location)).json());
}

/**
 * Lists broken streams, with their places unless they are all.
 *
 * @param {readonly Case[]} some
 * @param {readonly Case[]} all
 */
function grouped(some, all) {
  const names = [...new Set(some.map(({ misbehave }) => misbehave))];
  const placesIn = (/** @type {readonly Case[]} */ list, /** @type {string} */ name) =>
    list.filter(({ misbehave }) => misbehave === name).map(({ at }) => at);
  const shown = names.map((name) => {
    const places = placesIn(some, name);
    const isAll = places.length === placesIn(all, name).length;
    return isAll ? `\`${name}\`` : `\`${name}\` (${places.join(', ')})`;
  });
  return shown.join(', ') || 'none';
}

/**
 * @param {string} user
 * @param {string} folder
 * @param {string} location
 * @param {string} steps
 */
async function run(user, folder, location, steps) {
  const program = fileURLToPath(new URL('clients/meet-streams.js', import.meta.url));
  const args = ['--no-warnings', '--experimental-import-meta-resolve', program];
  const child = spawn(node, [...args, user, folder, location], {
    stdio: ['pipe', 'ignore', 'inherit'],
    timeout: 120_000,
  });
  child.stdin.end(steps);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${user} ended with ${code}.`);
}
