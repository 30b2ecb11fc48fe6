/** Shows a caller's data: as JSON, as a page for browsers, and as a description for tools. */

import { type Static, Type } from 'typebox';
import { cutText } from '#base/text/cut-text.js';
import { passingContent } from '#http/caching/content.js';
import type { Reply, Request } from '#http/exchange.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { ifNoneMatch, optional, vary } from '#http/schemas/header-schemas.js';
import { type Endpoint, endpoint, unvalidated } from '#kit/endpoint.js';
import { type Html, html } from '#kit/pages/html.js';
import { readBuiltFile } from '#kit/pages/page-files.js';
import { linkToRoot, pageResponseHeaders, pathToRoot, sendPage } from '#kit/pages/send-page.js';
import { Table } from '#state/rows/table.js';
import { sharedSandboxName } from '#state/state.js';
import { describeOwn } from './describe/describe-own.js';
import { viewOf } from './describe/own-view.js';
import { type InitialData, ownPath } from './initial-data.js';
import { type Shape, schemaOf } from './load/infer-shape.js';
import type { OwnStore } from './own-store.js';

const indexSchema = Type.Object(
  {
    collections: Type.Array(
      Type.Object({
        name: Type.String(),
        url: Type.String(),
        records: Type.Integer(),
        parents: Type.Array(Type.String(), {
          description: 'The collections that its records belong to.',
        }),
      }),
    ),
    singles: Type.Array(Type.Object({ name: Type.String(), url: Type.String() })),
    openapi: Type.String(),
  },
  { title: 'OwnIndex' },
);

type OwnIndex = Static<typeof indexSchema>;

export function indexEndpoints(store: OwnStore): Endpoint[] {
  return [
    endpoint('GET', '/my', {
      summary: 'List your own collections',
      description: 'Lists the collections of the sandbox.',
      headers: unvalidated(ifNoneMatch),
      responses: {
        200: {
          description: 'The collections, or the page that shows them.',
          content: {
            'application/json': { schema: indexSchema },
            'text/html': { schema: Type.String() },
          },
        },
        304: Type.Null({ description: "The browser's copy of the page is current." }),
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
      description: 'An OpenAPI 3.1 description, with types from the schemas or the data.',
      responses: {
        200: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
      },
      async handle({ sandbox, baseUrl }) {
        const data = await store.find(sandbox);
        return describeOwn(await viewOf(sandbox, data), baseUrl);
      },
    }),
  ];
}

async function indexOf(data: InitialData, request: Request): Promise<OwnIndex> {
  const { datasets, model } = data;
  const { sandbox, baseUrl } = request;
  const { relations } = await viewOf(sandbox, data);
  const urlOf = (name: string) => baseUrl + ownPath(name);
  const collections = [...datasets].map(async ([name, dataset]) => ({
    name,
    url: urlOf(name),
    records: (await new Table(sandbox, dataset).list()).length,
    parents: [
      ...new Set(
        relations.filter(({ children }) => children === name).map(({ parents }) => parents),
      ),
    ],
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

async function sendIndex(request: Request, reply: Reply, index: OwnIndex, data: InitialData) {
  const { text } = renderPage(index, data, request);
  const built = (await readBuiltFile('my/index.html')).toString('utf8');
  const page = linkToRoot(built, pathToRoot(request.url)).replace(bodyMark, () => text);
  const content = passingContent(Buffer.from(page), 'text/html; charset=utf-8');
  return sendPage(request, reply, 'my', content);
}

const maxShownFields = 40;
const maxShownLength = 200;

function renderPage(index: OwnIndex, { model }: InitialData, { sandbox, baseUrl }: Request): Html {
  const { shapeOf } = model;
  const isShared = sandbox.name === sharedSandboxName;
  const { collections, singles, openapi } = index;
  const isEmpty = collections.length + singles.length === 0;
  return html`
    <h1>Your own data</h1>
    <p>
      REST collections from any JSON in the structure of json-server’s <code>db.json</code>: arrays
      become collections, objects become single resources.
      ${!isEmpty && html`They are described at <a href="${openapi}">${openapi}</a>.`}
    </p>
    ${isEmpty && renderHelp(baseUrl, isShared)}
    ${collections.map((entry) => renderCollection(entry, shapeOf(entry.name)))}
    ${singles.map((entry) => renderSingle(entry, shapeOf(entry.name)))}
    ${!isEmpty && renderHelp(baseUrl, isShared)}`;
}

function renderCollection(entry: OwnIndex['collections'][number], shape: Shape): Html {
  const { name, url, records, parents } = entry;
  const count = records === 1 ? '1 record' : `${records} records`;
  return html`
    <section class="card">
      <h2><a href="${url}?limit=20">${name}</a> <small>${count}</small></h2>
      ${parents.length > 0 && html`<p>Belongs to ${parents.join(', ')}.</p>`}
      ${renderFields(shape)}
      <pre tabindex="0">curl '${url}?limit=10'</pre>
    </section>`;
}

function renderSingle({ name, url }: OwnIndex['singles'][number], shape: Shape): Html {
  return html`
    <section class="card">
      <h2><a href="${url}">${name}</a> <small>single resource</small></h2>
      ${renderFields(shape)}
    </section>`;
}

function renderFields(shape: Shape): Html | false {
  const fields = fieldsInside(shape);
  if (fields.length === 0) return false;
  const shown = fields.slice(0, maxShownFields);
  const left = fields.length - shown.length;
  return html`
    <div class="table" tabindex="0" role="group" aria-label="Fields">
      <table>
        <thead><tr><th scope="col">Field</th><th scope="col">Type</th></tr></thead>
        <tbody>
          ${shown.map(
            ([name, of]) =>
              html`<tr><th scope="row"><code>${name}</code></th><td>${typeWords(schemaOf(of))}</td></tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${left > 0 && html`<p>And ${left} more.</p>`}`;
}

/** Names nested fields with dots, as filters do. */
function fieldsInside({ properties }: Shape, outer = ''): (readonly [name: string, Shape])[] {
  return [...properties].flatMap(([name, shape]) => {
    const inner = fieldsInside(shape, cutText(`${outer}${name}.`, maxShownLength));
    return inner.length > 0 ? inner : [[cutText(outer + name, maxShownLength), shape] as const];
  });
}

interface ShownSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly items?: ShownSchema;
}

function typeWords({ type, format, items }: ShownSchema): string {
  const types = [type ?? 'anything'].flat().join(' or ');
  if (type === 'array' && items !== undefined) return `array of ${typeWords(items)}`;
  return format === undefined ? types : `${types} (${format})`;
}

function renderHelp(baseUrl: string, isShared: boolean): Html {
  const example = '{"posts":[{"id":1,"title":"Hello"}],"comments":[{"id":1,"postId":1}]}';
  const address = isShared ? `${baseUrl}/s/my-suite` : baseUrl;
  return html`
    <section class="card">
      <h2>Load your own data</h2>
      ${isShared && html`<p>Your data needs a named sandbox, because all users share this one. Your page is then <a href="s/my-suite/my">${address}/my</a>.</p>`}
      <pre tabindex="0">curl -X PUT ${address}/api/sandbox/data -H 'Content-Type: application/json' \\
  -d '${example}'</pre>
      <p>
        To start a service with data for every sandbox, run
        <code class="unbroken">npm start -- --data db.json</code>.
      </p>
    </section>`;
}
