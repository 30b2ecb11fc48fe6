/** The topics of the HTTP lab. A new topic is added to this list. */

import { Type } from 'typebox';
import { prefixOf } from '#http/address/sandbox-address.js';
import type { Area } from '#kit/area.js';
import { endpointSchema, listEndpoints } from '#kit/describe/collect-endpoints.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { cachingTopic } from './caching/topic.js';
import { codingsTopic } from './codings/topic.js';
import { connectionTopic } from './connection/topic.js';
import { cookiesTopic } from './cookies/topic.js';
import { dumpTopic } from './dump/topic.js';
import { expectTopic } from './expect/topic.js';
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
  expectTopic,
  dumpTopic,
  formatsTopic,
  uploadsTopic,
];

export const httpArea: Area = {
  name: 'http',
  title: 'HTTP lab',
  guide: 'http',
  summary: `${topics.map(({ title }, index) => (index === 0 ? title : title.toLowerCase())).join(', ')}.`,
  front: {
    group: 'http',
    live: {
      method: 'GET',
      path: '/api/http/status/503?retryAfter=2',
      shows: ['HTTP/1.1 503 Service Unavailable', 'retry-after: 2', '', '{', '  "status": 503,'],
    },
    start: '/api/http',
    examples: (config) => topics.flatMap(({ examples }) => examples?.(config) ?? []),
  },
  postman: topics.flatMap(({ collection = [] }) => collection),
  offers: topics.flatMap(({ offers = [] }) => offers),
  endpoints(services) {
    const all: Endpoint[] = [];
    all.push(listTopics(all), ...topics.flatMap((topic) => topic.endpoints(services)));
    return all;
  },
};

const text = Type.String();

const listTopics = (endpoints: readonly Endpoint[]) =>
  endpoint('GET', '/api/http', {
    summary: 'List the topics and endpoints of the HTTP lab',
    description: 'A topic is one part of HTTP that a client must implement correctly.',
    responses: {
      200: Type.Object({
        topics: Type.Array(Type.Object({ name: text, title: text, start: text, summary: text })),
        endpoints: Type.Array(endpointSchema),
      }),
    },
    examples: { 'Every topic': {} },
    handle: ({ raw }) => ({
      topics: topics.map(({ name, title, start, summary }) => ({ name, title, start, summary })),
      endpoints: listEndpoints(endpoints).map((each) => ({
        ...each,
        path: prefixOf(raw) + each.path,
      })),
    }),
  });
