/**
 * The API reference: an outline in the page itself, whose operations open in place. The description
 * of an area is loaded when the area is opened.
 */

import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { filterAsTyped } from './filter-operations.js';
import { areaOf, openArea, openOperation, toggleOperation } from './open-operation.js';

applyTheme();
addThemeSwitch();

for (const area of document.querySelectorAll<HTMLDetailsElement>('.area')) {
  area.addEventListener('toggle', () => {
    if (area.open) void openArea(area);
  });
}
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a.row') : null;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  event.preventDefault();
  history.replaceState(null, '', link.hash);
  void toggleOperation(link);
});
addEventListener('hashchange', follow);
filterAsTyped();
follow();

/** Opens what the fragment names, also for old links such as `#tag/auth/GET/api/auth/basic`. */
function follow(): void {
  const hash = decodeURIComponent(location.hash);
  const [, tag = '', method, path] = /^#tag\/([^/]+)(?:\/([A-Z]+)(\/.*))?$/.exec(hash) ?? [];
  const [, area = tag, id] = /^#\/([^/]+)(?:\/([^/]+))?$/.exec(hash) ?? [];
  const found = areaOf(area);
  if (found === undefined) return;
  found.open = true;
  const link = [...found.querySelectorAll<HTMLAnchorElement>('a.row')].find(
    ({ dataset, hash: own }) =>
      own === `#/${area}/${id}` ||
      (dataset.path === path && [method, 'ANY'].includes(dataset.verb)),
  );
  if (link === undefined) found.scrollIntoView();
  else void openOperation(link).then(() => link.scrollIntoView());
}
