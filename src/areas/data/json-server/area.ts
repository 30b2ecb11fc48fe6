/** json-server's paths for the data of a sandbox, at `/json-server` and on a separate port. */

import { valuesIn } from '#config/setting.js';
import type { Area } from '#kit/area.js';
import { credentialHeaders } from '#kit/cors-credentials.js';
import { fixedHeadersToken, ownPortToken, rewriterToken } from '#kit/offers/entries.js';
import { jsonServerCollection } from './collection.js';
import { jsonServerEndpoints, mount } from './endpoints.js';
import { routeRewriter } from './rewrite-routes.js';
import { jsonServerSettings } from './settings.js';

const headers = { 'X-Sandbox': 'my-blog' };

const blog = {
  posts: [
    { id: 1, title: 'Hello', views: 100 },
    { id: 2, title: 'Again', views: 300 },
    { id: 3, title: 'More', views: 200 },
  ],
  comments: [{ id: 1, postId: 2, text: 'Hi' }],
};

export const jsonServerArea = {
  name: 'json-server',
  title: 'json-server',
  guide: 'json-server',
  defaults: {
    queryFaults: 'lenient',
  },
  settings: jsonServerSettings,
  front: {
    group: 'data',
    start: mount,
    purposes: [
      {
        purpose: 'tutorial',
        title: 'json-server',
        says: "json-server's paths and parameters, for a front end that was written for it.",
        base: mount,
        isNamed: true,
        line: `curl -s {base}${mount}`,
        links: [['Guide', '/guides/json-server']],
      },
    ],
    examples: () => [
      {
        title: 'Put your db.json into a sandbox',
        method: 'PUT',
        path: '/api/sandbox/data',
        headers,
        json: blog,
        response: { status: 200, has: '"posts":3' },
      },
      {
        title: 'Paginate, sort and embed the comments',
        method: 'GET',
        path: `${mount}/posts?_page=1&_limit=2&_sort=views&_order=desc&_embed=comments`,
        headers,
        response: { status: 200, headers: ['X-Total-Count', 'Link'], has: '"title": "Again"' },
      },
      {
        title: 'Search and filter',
        method: 'GET',
        path: `${mount}/posts?q=hello&views_gte=50`,
        headers,
        response: { status: 200, has: '"title": "Hello"' },
      },
    ],
  },
  summary:
    "json-server's paths and parameters for your own data. Point your front end here by changing one base URL.",
  postman: [jsonServerCollection],
  offers: [
    fixedHeadersToken.of(() => ({
      below: mount,
      values: (request) => credentialHeaders(request, true),
    })),
    ownPortToken.of(({ runtime: { config } }) => {
      const { jsonServerPort: port } = valuesIn(config, jsonServerSettings);
      return [{ name: 'json-server', prefix: mount, port }];
    }),
    rewriterToken.of(({ runtime: { config } }) => {
      const { jsonServerRoutes: rules } = valuesIn(config, jsonServerSettings);
      return rules.length === 0 ? undefined : routeRewriter(rules, mount);
    }),
  ],
  endpoints: jsonServerEndpoints,
} as const satisfies Area;
