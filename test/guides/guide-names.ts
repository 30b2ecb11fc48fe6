/** The names of all guides, and their URLs. */

import { isGuide } from '../../scripts/guides/is-guide.js';
import { texts } from '../docs/pages.js';

export const names = texts
  .filter((text) => text.startsWith('docs/'))
  .map((text) => text.slice('docs/'.length, -'.md'.length))
  .filter(isGuide);

export const pathOf = (name: string) => (name === 'README' ? '/guides' : `/guides/${name}`);

export const asBrowser = { Accept: 'text/html,*/*;q=0.8' };
