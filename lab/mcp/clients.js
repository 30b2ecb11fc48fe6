/**
 * Runs whole sessions of MCP clients, each in a sandbox, and writes into docs/mcp/test-your-client.md
 * what the judge found. Exits with 1 if a client does not complete its session, or breaks a rule.
 *
 * The client of fastmcp needs a Python with the package, which PRACTICE_FASTMCP names.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../../scripts/install-packages.js';
import { writeFigures } from '../harness/report.js';
import { installLab } from '../install-lab.js';
import { findNode } from './find-node.js';

installLab();
installPackages(new URL('../../test/', import.meta.url), 'tests');
const node = findNode();
const python = process.env.PRACTICE_FASTMCP;

const inTests = (/** @type {string} */ path) =>
  fileURLToPath(new URL(`../../test/${path}`, import.meta.url));
const inLab = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const versionOf = (/** @type {string} */ folder) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;

const outcomes = ['broken', 'against-advice', 'unclear'];

const remote = inTests('node_modules/mcp-remote');
const inspector = inLab('node_modules/@modelcontextprotocol/inspector');

const clients = [
  {
    name: '@modelcontextprotocol/sdk',
    version: versionOf(inTests('node_modules/@modelcontextprotocol/sdk')),
    command: [node, inTests('clients/mcp/sdk-1.mjs')],
  },
  {
    name: '@modelcontextprotocol/client',
    version: versionOf(inTests('node_modules/@modelcontextprotocol/client')),
    command: [node, inTests('clients/mcp/client-2.mjs')],
  },
  {
    name: '@modelcontextprotocol/inspector --cli',
    version: versionOf(inspector),
    command: [
      node,
      inLab('mcp/clients/inspector.js'),
      join(inspector, 'clients/launcher/build/index.js'),
    ],
  },
  {
    name: '@ai-sdk/mcp',
    version: versionOf(inLab('node_modules/@ai-sdk/mcp')),
    command: [node, inLab('mcp/clients/ai-sdk.js')],
  },
  {
    name: 'mcp-remote',
    version: versionOf(remote),
    command: [node, inTests('clients/mcp/remote.mjs'), join(remote, 'dist/proxy.js')],
  },
  ...(python === undefined
    ? []
    : [
        {
          name: 'fastmcp (Python)',
          version: (await run(python, '-c', 'import fastmcp; print(fastmcp.__version__)')).output,
          command: [python, inLab('mcp/clients/session-of-fastmcp.py')],
        },
      ]),
];
if (python === undefined)
  console.log('Without PRACTICE_FASTMCP, the client of fastmcp is left out.');

const { createService } = await import(new URL('../../dist/index.js', import.meta.url).href);
const service = await createService();
const rows = [];
try {
  for (const [index, client] of clients.entries())
    rows.push(await rowOf(client, `client-${index}`));
} finally {
  await service.close();
}
const head = [
  '| Client | Version | Completes | Broken | Against advice | Unclear |',
  '| --- | --- | --- | --- | --- | --- |',
];
writeFigures(
  'docs/mcp/test-your-client.md',
  'clients',
  'node lab/mcp/clients.js',
  [...head, ...rows].join('\n'),
);

/**
 * @param {(typeof clients)[number]} client
 * @param {string} sandbox
 */
async function rowOf({ name, version, command: [file = '', ...args] }, sandbox) {
  const place = `${service.url}/s/${sandbox}`;
  const done = [];
  for (const [what, path] of [
    ['a session', '/mcp'],
    ['OAuth', '/mcp/protected'],
  ]) {
    const { code, output } = await run(file, ...args, place + path);
    if (code === 0) done.push(what);
    else {
      process.exitCode = 1;
      console.error(`${name}: ${output}`);
    }
  }
  console.log(`${name} completes ${done.join(', ') || 'nothing'}`);
  const response = await fetch(`${place}/api/sandbox/mcp/findings`);
  const { findings } = /** @type {{findings: {rule: string, outcome: string}[]}} */ (
    await response.json()
  );
  if (findings.some(({ outcome }) => outcome === 'broken')) process.exitCode = 1;
  const lists = outcomes.map((outcome) => {
    const found = findings.filter((each) => each.outcome === outcome);
    const rules = new Set(found.map(({ rule }) => `\`${rule}\``));
    return [...rules].join(', ') || 'none';
  });
  return `| ${name} | ${version} | ${[done.join(', '), ...lists].join(' | ')} |`;
}

/**
 * @param {string} file
 * @param {string[]} args
 */
async function run(file, ...args) {
  const env = {
    ...process.env,
    BROWSER: 'true',
    MCP_REMOTE_CONFIG_DIR: join(tmpdir(), `practice-mcp-remote-${process.pid}`),
  };
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { code, output: output.trim() };
}
