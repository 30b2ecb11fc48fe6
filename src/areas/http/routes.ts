/** THE list of topics of the HTTP lab: what a client must get right about HTTP itself. */

import { Type } from 'typebox';
import { settingsOf } from '../../config/setting.js';
import { prefixOf } from '../../http/address/sandbox-address.js';
import type { Area } from '../../kit/area.js';
import { endpointSchema, listEndpoints } from '../../kit/describe/collect-endpoints.js';
import { cachingTopic } from './caching/topic.js';
import { codingsTopic } from './codings/topic.js';
import { connectionTopic } from './connection/topic.js';
import { cookiesTopic } from './cookies/topic.js';
import { dumpTopic } from './dump/topic.js';
import { formatsTopic } from './formats/topic.js';
import { rangesTopic } from './ranges/topic.js';
import { redirectsTopic } from './redirects/topic.js';
import { respondTopic } from './respond/topic.js';
import { statusTopic } from './status/topic.js';
import { streamingTopic } from './streaming/topic.js';
import type { Topic } from './topic.js';
import { uploadsTopic } from './uploads/topic.js';

const topics: readonly Topic[] = [
  statusTopic,
  respondTopic,
  redirectsTopic,
  rangesTopic,
  codingsTopic,
  streamingTopic,
  cachingTopic,
  cookiesTopic,
  connectionTopic,
  dumpTopic,
  formatsTopic,
  uploadsTopic,
];

export const httpArea = {
  name: 'http',
  title: 'HTTP lab',
  guide: 'http',
  front: {
    start: '/api/http',
    examples: (config) => topics.flatMap(({ examples }) => examples?.(config) ?? []),
    presets: topics.flatMap(({ presets = [] }) => presets),
  },
  summary: `${topics.map(({ title }, place) => (place === 0 ? title : title.toLowerCase())).join(', ')}.`,
  settings: settingsOf([...topics]),
  postman: topics.flatMap(({ collection = [] }) => collection),
  provides: {
    rawPaths: topics.flatMap(({ rawPaths = [] }) => rawPaths),
  },
  defaults: {
    headers: topics.flatMap(({ fixedHeaders = [] }) => fixedHeaders),
  },
  async addRoutes(app, services) {
    app.get('/api/http', { schema: describeIndex }, async ({ raw }) => ({
      topics: topics.map(({ name, title, start, summary }) => ({ name, title, start, summary })),
      endpoints: listEndpoints(app.endpoints).map((endpoint) => ({
        ...endpoint,
        path: prefixOf(raw) + endpoint.path,
      })),
    }));
    for (const topic of topics) await topic.addRoutes(app, services);
  },
} satisfies Area;

const text = Type.String();
const describeIndex = {
  summary: 'List the topics and endpoints of the HTTP lab',
  description: 'A topic is what a client has to get right about one part of HTTP.',
  response: {
    200: Type.Object({
      topics: Type.Array(Type.Object({ name: text, title: text, start: text, summary: text })),
      endpoints: Type.Array(endpointSchema),
    }),
  },
};
