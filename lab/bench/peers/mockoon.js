/** Mockoon's CLI with routes equal to ours. */

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(
  new URL('../../node_modules/@mockoon/cli/bin/run.js', import.meta.url),
);

/** @type {import('../harness.js').Program} */
export const mockoon = {
  async launch(port) {
    const data = join(mkdtempSync(join(tmpdir(), 'practice-api-bench-mockoon-')), 'data.json');
    writeFileSync(data, JSON.stringify(environment()));
    const args = ['start', '--data', data, '--port', String(port), '--hostname', '127.0.0.1'];
    return {
      command: process.execPath,
      args: [program, ...args, '--disable-log-to-file', '--disable-admin-api'],
    };
  },
};

const contentType = `{{#if (header 'Content-Type')}}"{{header 'Content-Type'}}"{{else}}null{{/if}}`;

/** @param {string} bodyFields */
function echo(bodyFields) {
  return `{"method":"{{method}}","message":"{{method}} request received","path":"/api/methods/{{urlParam 'verb'}}","query":{{{queryParam}}},"contentType":${contentType},${bodyFields},"bodyTruncated":false,"timestamp":"{{now}}"}`;
}

/** What its data file holds: the format that its desktop program writes. */
function environment() {
  const records = readFileSync(new URL('../../../data/events.json', import.meta.url), 'utf8');
  const profile = {
    id: 1,
    firstName: 'Maya',
    lastName: 'Okafor',
    displayName: 'Maya Okafor',
    contact: {
      email: 'maya.okafor@example.com',
      phone: { countryCode: '+1', number: '312-555-0142' },
    },
    address: {
      street: '48 Lakeview Terrace',
      city: 'Chicago',
      state: 'IL',
      postalCode: '60614',
      country: 'United States',
    },
    preferences: { language: 'en', timezone: 'America/Chicago', newsletter: true },
    createdAt: '2021-04-17T09:30:00.000Z',
    apiVersion: '2',
  };
  const bucket = 'evnt';
  const routes = [
    route(1, {
      method: 'get',
      endpoint: 'api/methods/:verb',
      response: { body: echo('"bodyLength":0,"body":null') },
    }),
    route(2, {
      method: 'post',
      endpoint: 'api/methods/:verb',
      response: {
        body: echo(
          `"bodyLength":{{header 'Content-Length'}},"body":{{{stringify (body)}}},"json":{{{body}}}`,
        ),
      },
    }),
    route(3, {
      type: 'crud',
      endpoint: 'events',
      response: { bodyType: 'DATABUCKET', databucketID: bucket, disableTemplating: true },
    }),
    route(4, {
      method: 'get',
      endpoint: 'api/versioned/profile',
      response: { body: JSON.stringify(profile), disableTemplating: true },
    }),
  ];
  return {
    uuid: uuid(0),
    lastMigration: 33,
    name: 'bench',
    endpointPrefix: '',
    latency: 0,
    port: 0,
    hostname: '127.0.0.1',
    folders: [],
    routes,
    rootChildren: routes.map((each) => ({ type: 'route', uuid: each.uuid })),
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: {
      enabled: false,
      type: 'CERT',
      pfxPath: '',
      certPath: '',
      keyPath: '',
      caPath: '',
      passphrase: '',
    },
    cors: true,
    headers: [],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [{ uuid: uuid(300), id: bucket, name: 'events', documentation: '', value: records }],
    callbacks: [],
  };
}

/**
 * @param {number} number
 * @param {{type?: string, method?: string, endpoint: string, response: object}} facts
 */
function route(number, { type = 'http', method = '', endpoint, response }) {
  return {
    uuid: uuid(100 + number),
    type,
    documentation: '',
    method,
    endpoint,
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
    responses: [
      {
        uuid: uuid(200 + number),
        body: '',
        latency: 0,
        statusCode: 200,
        label: '',
        headers: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
        bodyType: 'INLINE',
        filePath: '',
        databucketID: '',
        sendFileAsBody: false,
        rules: [],
        rulesOperator: 'OR',
        disableTemplating: false,
        fallbackTo404: false,
        default: true,
        crudKey: 'id',
        callbacks: [],
        ...response,
      },
    ],
  };
}

/** @param {number} number */
function uuid(number) {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
