/** The page of one's own data: what there is, and how to ask for it. */

import { cutText } from '../../../base/text/cut-text.js';
import { type Html, html } from '../../../site/html.js';
import { type Shape, schemaOf } from './load/infer-shape.js';

interface OwnIndexEntry {
  readonly name: string;
  readonly url: string;
  readonly records: number;
  readonly parents: readonly string[];
}

export interface OwnIndex {
  readonly collections: readonly OwnIndexEntry[];
  readonly singles: readonly { readonly name: string; readonly url: string }[];
  readonly openapi: string;
}

const maxShownFields = 40;
const maxShownLength = 200;

export interface PageParts {
  readonly index: OwnIndex;
  readonly isShared: boolean;
  readonly baseUrl: string;
  readonly shapeOf: (name: string) => Shape;
}

export function renderOwnPage({ index, isShared, baseUrl, shapeOf }: PageParts): Html {
  const { collections, singles, openapi } = index;
  const isEmpty = collections.length + singles.length === 0;
  return html`
    <h1>Your own data</h1>
    <p>
      Any JSON as REST collections, in the shape of json-server’s <code>db.json</code>: arrays are
      collections, objects are single resources.
      ${!isEmpty && html`They are described at <a href="${openapi}">${openapi}</a>.`}
    </p>
    ${isEmpty && renderHelp(baseUrl, isShared)}
    ${collections.map((entry) => renderCollection(entry, shapeOf(entry.name)))}
    ${singles.map((entry) => renderSingle(entry, shapeOf(entry.name)))}
    ${!isEmpty && renderHelp(baseUrl, isShared)}`;
}

function renderCollection({ name, url, records, parents }: OwnIndexEntry, shape: Shape): Html {
  const count = records === 1 ? '1 record' : `${records} records`;
  return html`
    <section class="card">
      <h2><a href="${url}?limit=20">${name}</a> <small>${count}</small></h2>
      ${parents.length > 0 && html`<p>Its records belong to ${parents.join(', ')}.</p>`}
      ${renderFields(shape)}
      <pre tabindex="0">curl '${url}?limit=10'</pre>
    </section>`;
}

function renderSingle({ name, url }: { name: string; url: string }, shape: Shape): Html {
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

/** What is inside others is named by dots, as filters name it. */
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
      <h2>Bring your own</h2>
      ${isShared && html`<p>Into a sandbox with a name: this is the one that everybody shares. Its page is then <a href="s/my-suite/my">${address}/my</a>.</p>`}
      <pre tabindex="0">curl -X PUT ${address}/api/sandbox/data -H 'Content-Type: application/json' \\
  -d '${example}'</pre>
      <p>
        Whoever runs the service can start it with data for every sandbox:
        <code>npm start -- --data db.json</code>.
      </p>
    </section>`;
}
