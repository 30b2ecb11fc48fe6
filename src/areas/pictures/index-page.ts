/** The pictures as a list, and as a gallery for browsers. */

import { type Static, Type } from 'typebox';
import type { Datasets } from '../../data/records.js';
import type { Reply, Request } from '../../http/exchange.js';
import { vary } from '../../http/schemas/header-schemas.js';
import { html } from '../../site/html.js';
import { sendList } from '../../site/list-page.js';
import { pictureKinds } from './picture-kinds.js';

/** Each kind is drawn of the records of a collection. */
type Drawn = 'products' | 'movies' | 'books' | 'people' | 'photos';

/** More of a kind would only repeat what it looks like. */
const maxShown = 36;

const listSchema = Type.Object({
  kinds: Type.Array(
    Type.Object({
      name: Type.String(),
      summary: Type.String(),
      url: Type.String({ description: '{id} stands for the id of a record.' }),
      ids: Type.Array(Type.Integer()),
    }),
  ),
});

export const indexSchema = {
  summary: 'List the pictures',
  description: 'Each kind with the ids that there are; browsers get a gallery.',
  response: { 200: Type.Unsafe<Static<typeof listSchema> | Reply>(listSchema) },
  responseHeaders: { 200: vary },
};

export function indexHandler(datasets: Datasets, baseUrlOf: (request: Request) => string) {
  return (request: Request, reply: Reply) => {
    const baseUrl = baseUrlOf(request);
    const kinds = pictureKinds.map(({ path, summary }) => {
      const [, , name = ''] = path.split('/');
      const ids = datasets[name as Drawn].map(({ id }) => id);
      return { name, summary, url: baseUrl + path.replace(':id', '{id}'), ids };
    });
    return sendList(request, reply, { kinds }, (listed, root) => ({
      title: 'Pictures',
      says: 'Each is drawn from a record of the sample data, and always the same for the same record.',
      guide: 'pictures',
      section: 'pictures',
      parts: listed.kinds
        // A photo and its thumbnail are the same picture.
        .filter(({ name, url }) => name !== 'photos' || url.includes('thumbnail'))
        .map(
          ({ name, ids, url }) => html`
      <h2>${name} (${ids.length})</h2>
      <ul class="pictures">${ids.slice(0, maxShown).map((id) => {
        const path = new URL(url).pathname.split('/images/')[1]?.replace('%7Bid%7D', String(id));
        return html`<li><a href="${root}images/${path}"><img src="${root}images/${path}" alt="" loading="lazy" width="136" height="144"><code>${path}</code></a></li>`;
      })}</ul>`,
        ),
    }));
  };
}
