/** Parts of a request that messages name. */

import type { Request } from '#http/exchange.js';

export const pathOf = ({ url }: Request): string => url.split('?', 1)[0] ?? '';

export const guideOf = ({ baseUrl }: Request): string => `${baseUrl}/guides/payments/errors`;

export const requestIdOf = ({ id }: Request): string =>
  `req_${id.replace(/[^A-Za-z0-9]/g, '').slice(0, 14)}`;
