/** The guides that there are, and where they are served. */

import { texts } from '../docs/pages.js';

export const names = texts
  .filter((text) => text.startsWith('docs/') && !text.startsWith('docs/decisions/'))
  .map((text) => text.slice('docs/'.length, -'.md'.length));

export const pathOf = (name: string) => (name === 'README' ? '/guides' : `/guides/${name}`);

export const asBrowser = { Accept: 'text/html,*/*;q=0.8' };
