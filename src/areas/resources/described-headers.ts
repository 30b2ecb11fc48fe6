/** The headers of the routes of resources, for their description. */

import { Type } from 'typebox';
import { entityTag, ifMatch, ifNoneMatch, links, totalCount } from '../../server/header-schemas.js';

export const preconditions = { ...ifMatch, ...ifNoneMatch };

/** Of answers to requests for one record, by status. */
export const readHeaders = { 200: entityTag, 304: entityTag, 412: entityTag };

/** Of the refusal of a patch. */
export const patchHeaders = {
  415: {
    'Accept-Patch': Type.Optional(
      Type.String({ description: 'The types that are taken (RFC 5789 section 3.1).' }),
    ),
  },
};

const figure = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

/** Of lists. */
export const listHeaders = {
  ...totalCount,
  Link: Type.Optional(links.Link),
  'X-Page': figure('Which page this is, when the list is cut into pages.'),
  'X-Per-Page': figure('The limit, when there is one.'),
  'X-Total-Pages': figure('How many pages of that limit there are.'),
};
