/** /my/openapi.json requires of a body only what the service requires, so that typed clients can send it. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { useService } from '../../support/service.js';

const { send } = useService();
const headers = { 'X-Sandbox': 'described' };

const inferred = {
  posts: [
    { id: 1, title: 'a', author: { name: 'Ada', city: 'London' }, parentId: null, tags: ['x'] },
  ],
  comments: [{ id: 1, postId: 1, text: 'b' }],
  profile: { name: 'c', theme: { dark: true } },
};

const declared = {
  ...inferred,
  $schemas: {
    comments: {
      type: 'object',
      properties: { postId: { type: 'integer' }, text: { type: 'string' } },
      required: ['postId', 'text'],
    },
    posts: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        author: {
          type: 'object',
          properties: { name: { type: 'string' }, city: { type: 'string' } },
          required: ['name', 'city'],
        },
      },
      required: ['title'],
    },
  },
};

type Case = readonly [request: string, body: object, data: object, status: number];

const accepted: readonly Case[] = [
  ['POST /my/posts', {}, inferred, 201],
  ['POST /my/posts', { title: 'x' }, inferred, 201],
  ['POST /my/posts', { author: { name: 'x' }, parentId: 3 }, inferred, 201],
  ['PUT /my/posts/1', {}, inferred, 200],
  ['PUT /my/posts/1', { parentId: 'text' }, inferred, 200],
  ['PATCH /my/posts/1', { author: { city: 'Ghent' }, parentId: 1 }, inferred, 200],
  ['POST /my/posts/1/comments', {}, inferred, 201],
  ['PUT /my/profile', {}, inferred, 200],
  ['PUT /my/profile', { theme: {} }, inferred, 200],
  ['PATCH /my/profile', { theme: {} }, inferred, 200],
  ['POST /my/posts', { title: 'x' }, declared, 201],
  ['PATCH /my/posts/1', { author: { city: 'Ghent' } }, declared, 200],
  ['POST /my/posts/1/comments', { text: 'x' }, declared, 201],
];

const rejected: readonly Case[] = [
  ['POST /my/posts', {}, declared, 400],
  ['PUT /my/posts/1', {}, declared, 400],
  ['POST /my/posts', { title: 'x', author: { name: 'x' } }, declared, 400],
  ['POST /my/comments', { text: 'x' }, declared, 400],
  ['POST /my/posts/1/comments', {}, declared, 400],
];

/** Whether the description accepts the body of a request. */
async function isDescribed(request: string, body: object): Promise<boolean> {
  const { json: description } = await send('GET /my/openapi.json', { headers });
  const [method = '', path = ''] = request.split(' ');
  const template = path.replace('/1', '/{id}');
  const { requestBody } = description.paths[template][method.toLowerCase()];
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(description, 'my');
  const place = `/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  expect(requestBody.content).toHaveProperty(['application/json']);
  const pointer = encodeURI(`${place}/requestBody/content/application~1json/schema`);
  return ajv.validate({ $ref: `my#${pointer}` }, body) as boolean;
}

describe.each([...accepted, ...rejected])('%s %j', (request, body, data, status) => {
  test(`is ${status} of the service, and described as such`, async () => {
    await send('PUT /api/sandbox/data', { headers, json: data });
    const isAccepted = await isDescribed(request, body);
    const response = await send(request, { headers, json: body });
    expect([response.status, isAccepted]).toEqual([status, status < 300]);
  });
});
