/** What data a caller has: as JSON, as a page for people, and as a description for tools. */

import { Type } from 'typebox';
import { passingContent } from '../../../http/caching/content.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { prefersPage } from '../../../http/prefers-page.js';
import { failures } from '../../../kit/describe/error-schema.js';
import { ifNoneMatch, optional, vary } from '../../../kit/describe/header-schemas.js';
import { type Endpoint, endpoint, unvalidated } from '../../../kit/endpoint.js';
import { readBuiltFile } from '../../../site/page-files.js';
import { linkToRoot, pageResponseHeaders, pathToRoot, sendPage } from '../../../site/send-page.js';
import { Table } from '../../../state/rows/table.js';
import { sharedSandboxName } from '../../../state/state.js';
import { describeOwn } from './describe-own.js';
import { type InitialData, ownPath } from './initial-data.js';
import type { OwnStore } from './own-store.js';
import { type OwnIndex, renderOwnPage } from './render-page.js';

const indexSchema = Type.Object(
  {
    collections: Type.Array(
      Type.Object({
        name: Type.String(),
        url: Type.String(),
        records: Type.Integer(),
        parents: Type.Array(Type.String(), { description: 'What its records belong to.' }),
      }),
    ),
    singles: Type.Array(Type.Object({ name: Type.String(), url: Type.String() })),
    openapi: Type.String(),
  },
  { title: 'OwnIndex' },
);

export function indexEndpoints(store: OwnStore): Endpoint[] {
  return [
    endpoint('GET', '/my', {
      summary: 'List your own collections',
      description: 'Those of the sandbox.',
      headers: unvalidated(ifNoneMatch),
      responses: {
        200: {
          description: 'The collections, or the page that shows them.',
          content: {
            'application/json': { schema: indexSchema },
            'text/html': { schema: Type.String() },
          },
        },
        304: Type.Null({ description: 'The browser has the page already.' }),
        ...failures(400),
      },
      responseHeaders: {
        200: { ...vary, ...optional(pageResponseHeaders[200]) },
        304: { ...vary, ...pageResponseHeaders[304] },
      },
      async handle(request, reply) {
        const data = await store.find(request.sandbox);
        const index = await indexOf(data, request);
        return prefersPage(request.headers.accept) ? sendIndex(request, reply, index, data) : index;
      },
    }),
    endpoint('GET', '/my/openapi.json', {
      summary: 'Describe your own collections',
      description:
        'An OpenAPI 3.1 description, with types as the data has them or as its schemas say.',
      responses: {
        200: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
        ...failures(400),
      },
      async handle({ sandbox, baseUrl }) {
        const { model } = await store.find(sandbox);
        return describeOwn(model, baseUrl);
      },
    }),
  ];
}

async function indexOf({ datasets, model }: InitialData, request: Request): Promise<OwnIndex> {
  const { sandbox, baseUrl } = request;
  const urlOf = (name: string) => baseUrl + ownPath(name);
  const collections = [...datasets].map(async ([name, dataset]) => ({
    name,
    url: urlOf(name),
    records: (await new Table(sandbox, dataset).list()).length,
    parents: model
      .relations()
      .filter(({ children }) => children === name)
      .map(({ parents }) => parents),
  }));
  return {
    collections: await Promise.all(collections),
    singles: [...model.data.members]
      .filter(([, { isSingle }]) => isSingle)
      .map(([name]) => ({ name, url: urlOf(name) })),
    openapi: `${baseUrl}/my/openapi.json`,
  };
}

const bodyMark = '<!-- body -->';

async function sendIndex(request: Request, reply: Reply, index: OwnIndex, { model }: InitialData) {
  const isShared = request.sandbox.name === sharedSandboxName;
  const { baseUrl } = request;
  const body = renderOwnPage({ index, isShared, baseUrl, shapeOf: model.shapeOf });
  const built = (await readBuiltFile('my/index.html')).toString('utf8');
  const page = linkToRoot(built, pathToRoot(request.url)).replace(bodyMark, () => body.text);
  const content = passingContent(Buffer.from(page), 'text/html; charset=utf-8');
  return sendPage(request, reply, 'my', content);
}
