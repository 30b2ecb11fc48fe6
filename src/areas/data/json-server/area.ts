/** json-server's paths over the data of a sandbox, at `/json-server` and on a port of their own. */

import { valuesIn } from '../../../config/setting.js';
import type { Area } from '../../../kit/area.js';
import { credentialHeaders } from '../../../kit/cors-credentials.js';
import { jsonServerEndpoints, mount } from './endpoints.js';
import { routeRewriter } from './rewrite-routes.js';
import { jsonServerSettings } from './settings.js';

const needsData = 'It needs data in the sandbox: PUT /api/sandbox/data.';
const ofRecords = [
  'getJsonServerByResource',
  'getJsonServerByResourceById',
  'getJsonServerByResourceByIdByNested',
  'postJsonServerByResource',
  'postJsonServerByResourceByIdByNested',
  'putJsonServerByResourceById',
  'patchJsonServerByResourceById',
  'putJsonServerByResource',
  'patchJsonServerByResource',
  'deleteJsonServerByResourceById',
];

export const jsonServerArea = {
  name: 'json-server',
  title: 'json-server',
  guide: 'json-server',
  defaults: {
    isAnyQueryTaken: true,
    headers: [{ below: mount, values: (request) => credentialHeaders(request, true) }],
  },
  settings: jsonServerSettings,
  front: {
    start: mount,
    examples: () => [
      {
        title: 'Get all your data, as json-server shows it',
        method: 'GET',
        path: `${mount}/db`,
        headers: { 'X-Sandbox': 'my-suite' },
        answer: { status: 200, headers: ['ETag'], has: '{' },
      },
    ],
    presets: [{ title: 'json-server', method: 'GET', path: mount }],
  },
  summary: "json-server's paths and parameters over your own data: front ends change one base URL.",
  postman: [
    {
      // The requests of own data delete what they put into the sandbox.
      leftOut: Object.fromEntries(ofRecords.map((operationId) => [operationId, needsData])),
    },
  ],
  provides: {
    ownPort(config) {
      const { jsonServerPort: port } = valuesIn(config, jsonServerSettings);
      return port === undefined ? undefined : { prefix: mount, port };
    },
    rewriter(config) {
      const { jsonServerRoutes: rules } = valuesIn(config, jsonServerSettings);
      return rules.length === 0 ? undefined : routeRewriter(rules, mount);
    },
  },
  endpoints: jsonServerEndpoints,
} as const satisfies Area;
