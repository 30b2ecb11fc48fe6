/** Mockoon's CLI with the same routes as this service. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchOurs } from './floors.js';
import { startAtPort } from './programs.js';

const lab = fileURLToPath(new URL('..', import.meta.url));
const program = join(lab, 'node_modules/@mockoon/cli/bin/run.js');
/** `--repair` adds the other members of a data file. */
const flags = ['--repair', '--disable-log-to-file', '--disable-admin-api'];

/** @type {import('./programs.js').Program} */
export const mockoon = {
  async start({ ourUrl = '' }) {
    const { text: profile } = await fetchOurs(ourUrl, { path: '/api/v2/profile' });
    const folder = mkdtempSync(join(tmpdir(), 'practice-api-bench-mockoon-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const data = join(folder, 'data.json');
    writeFileSync(data, JSON.stringify(environment(profile)));
    return startAtPort(process.execPath, (port) => {
      const address = ['--hostname', '127.0.0.1', '--port', port];
      return [program, 'start', '--data', data, ...address, ...flags];
    });
  },
};

const contentType = `{{#if (header 'Content-Type')}}"{{header 'Content-Type'}}"{{else}}null{{/if}}`;

/** @param {string} bodyFields */
function echo(bodyFields) {
  return `{"method":"{{method}}","message":"{{method}} request received","path":"/api/methods/{{urlParam 'method'}}","query":{{{queryParam}}},"contentType":${contentType},${bodyFields},"bodyTruncated":false,"timestamp":"{{now}}"}`;
}

const postFields = `"bodyLength":{{header 'Content-Length'}},"body":{{{stringify (body)}}},"json":{{{body}}}`;

/**
 * The data file, in the format of Mockoon's desktop program.
 *
 * @param {string} profile
 */
function environment(profile) {
  const records = readFileSync(new URL('../../data/events.json', import.meta.url), 'utf8');
  const bucket = 'evnt';
  const routes = [
    route(1, 'get', 'api/methods/:method', { body: echo('"bodyLength":0,"body":null') }),
    route(2, 'post', 'api/methods/:method', { body: echo(postFields) }),
    route(3, '', 'events', { bodyType: 'DATABUCKET', databucketID: bucket }),
    route(4, 'get', 'api/versioned/profile', { body: profile }),
  ];
  return {
    uuid: uuid(0),
    lastMigration: 33,
    name: 'bench',
    routes,
    rootChildren: routes.map((each) => ({ type: 'route', uuid: each.uuid })),
    data: [{ uuid: uuid(300), id: bucket, name: 'events', value: records }],
  };
}

/**
 * @param {number} number
 * @param {string} method Empty for the routes of a collection
 * @param {string} endpoint
 * @param {{body?: string, bodyType?: string, databucketID?: string}} response
 */
function route(number, method, endpoint, response) {
  const headers = [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }];
  // Only the echoes have placeholders.
  const disableTemplating = !endpoint.includes(':');
  return {
    uuid: uuid(100 + number),
    type: method === '' ? 'crud' : 'http',
    method,
    endpoint,
    responses: [
      { uuid: uuid(200 + number), headers, default: true, disableTemplating, ...response },
    ],
  };
}

/** @param {number} number */
function uuid(number) {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
