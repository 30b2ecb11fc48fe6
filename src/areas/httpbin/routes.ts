/** httpbin's own paths with httpbin's JSON, over the behaviour that the HTTP lab has. */

import type { Area } from '../../kit/area.js';
import { createDigestDoor, httpbinSettings } from './digest-auth.js';
import { httpbinExamples } from './examples.js';
import { indexPage, pagePolicy } from './index-page.js';
import type { Lab } from './lab.js';
import { mount, OwnPaths } from './own-paths.js';
import { index } from './route-schemas.js';
import { routeTable } from './route-table.js';
import { writeHeadAsPython } from './write-head.js';

const followed = 'Tools follow it, so what they show is another response.';
const redirecting = [
  ...['Redirect', 'RelativeRedirect', 'AbsoluteRedirect', 'Links'].map(
    (path) => `getHttpbin${path}ByN`,
  ),
  ...['get', 'put', 'post', 'delete', 'patch', 'trace'].map(
    (method) => `${method}HttpbinRedirectTo`,
  ),
  ...['getHttpbinCookiesSet', 'getHttpbinCookiesSetByNameByValue', 'getHttpbinCookiesDelete'],
];

export const httpbinArea = {
  name: 'httpbin',
  title: 'httpbin',
  guide: 'httpbin',
  defaults: {
    isAnyQueryTaken: true,
  },
  settings: httpbinSettings,
  front: {
    start: `${mount}/get`,
    examples: () => httpbinExamples,
    presets: [{ title: 'httpbin', method: 'GET', path: `${mount}/get?a=1` }],
  },
  summary: "httpbin's paths with httpbin's JSON: test-suites change one base URL.",
  postman: [
    {
      presents: {
        anyBearer: { kind: 'bearer', token: 'any-token' },
        pathDigest: ([, username = '', password = '']) => ({
          kind: 'digest',
          username,
          password,
        }),
        pathUser: ([username = '', password = '']) => ({ kind: 'basic', username, password }),
      },
      adaptations: {
        // What tools compute unless they are told otherwise.
        getHttpbinDigestAuthByQopByUserByPasswdByAlgorithm: { path: { algorithm: 'MD5' } },
      },
      leftOut: Object.fromEntries(redirecting.map((operationId) => [operationId, followed])),
    },
  ],
  securitySchemes: {
    anyBearer: { type: 'http', scheme: 'bearer', description: 'RFC 6750, with any token.' },
    pathDigest: { type: 'http', scheme: 'digest', description: 'RFC 7616, of the path’s user.' },
    pathUser: { type: 'http', scheme: 'basic', description: 'RFC 7617, of the path’s user.' },
  },
  async addRoutes(app, services) {
    app.everyRequest(({ method }, { raw }) => {
      if (method !== 'CONNECT') writeHeadAsPython(raw);
    });
    const paths = new OwnPaths(services.baseUrlOf);
    const lab: Lab = { services, paths, digest: await createDigestDoor(services, paths) };
    app.get(mount, { schema: index }, async (request, reply) => {
      reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', pagePolicy);
      return indexPage(request, paths, routeTable);
    });
    for (const { method, path, schema, handler, config } of routeTable) {
      app.route(method, mount + path, { schema, ...(config && { config }) }, (request, reply) =>
        handler(request, reply, lab),
      );
    }
  },
} satisfies Area;
