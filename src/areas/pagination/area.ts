/** Six ways to page through the same 100 items. */

import { signingKey, valuesIn } from '#config/setting.js';
import type { Area } from '#kit/area.js';
import { presetToken } from '#kit/offers/front-page.js';
import { paginationCollection } from './collection.js';
import { paginationEndpoints, path } from './endpoints.js';
import { paginationExamples } from './examples.js';

const settings = {
  /** Signs cursors of pagination; at least 32 bytes, random by default. */
  cursorKey: signingKey('cursor-key', 'key that signs pagination cursors'),
};

export const paginationArea = {
  name: 'pagination',
  title: 'Pagination',
  guide: 'pagination',
  summary: 'Six pagination styles over the same 100 items.',
  front: {
    group: 'data',
    start: path,
    examples: () => paginationExamples,
  },
  settings,
  postman: [paginationCollection],
  defaults: { caching: 'revalidate' },

  offers: [
    presetToken.of(() => ({
      title: 'a page of items',
      method: 'GET',
      path: `${path}/link?page=2&per_page=2`,
    })),
  ],
  async endpoints({ runtime: { config, signingKey }, sandboxes: { datasets } }) {
    const cursorKey = await signingKey('cursor', valuesIn(config, settings).cursorKey);
    return paginationEndpoints(datasets.items, cursorKey);
  },
} satisfies Area;
