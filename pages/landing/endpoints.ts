/** Lists the endpoints of an area, with links to the reference and the guide. */

import type { Endpoint } from '../../src/site/landing/list-endpoints.js';
import { addressOf } from '../shared/address-of.js';
import { element } from '../shared/element.js';

let loaded: Promise<Readonly<Record<string, readonly Endpoint[]>>> | undefined;

/** Requested once; a failed request is repeated. */
async function load(): Promise<Readonly<Record<string, readonly Endpoint[]>>> {
  const response = await fetch(addressOf('/endpoints.json'));
  return response.json();
}

export async function endpointsOf(area: string): Promise<HTMLElement> {
  loaded ??= load();
  try {
    const endpoints = (await loaded)[area] ?? [];
    const rows = endpoints.map((endpoint) => rowOf(area, endpoint));
    const label = 'Endpoints';
    const list = element('ul', { tabindex: 0, 'aria-label': label }, ...rows);
    return element('div', { class: 'endpoints' }, element('h4', {}, label), list);
  } catch {
    loaded = undefined;
    return element('p', { class: 'failed' }, 'The endpoints could not be loaded.');
  }
}

function rowOf(area: string, { methods, path, summary, operationId, guide }: Endpoint): Node {
  const address =
    operationId === undefined ? addressOf(path) : addressOf(`/docs#/${area}/${operationId}`);
  const badges = methods.map((method) =>
    element('span', { class: `verb ${method.toLowerCase()}` }, method),
  );
  const link = element('a', { href: address }, element('code', {}, path));
  const learn = guide === undefined ? [] : [' ', element('a', guideLink(guide, path), 'Guide')];
  return element(
    'li',
    {},
    element('span', { class: 'verbs' }, ...badges),
    link,
    element('span', { class: 'says' }, summary, ...learn),
  );
}

function guideLink(guide: string, path: string) {
  return { href: addressOf(`/guides/${guide}`), 'aria-label': `Guide to ${path}` };
}
