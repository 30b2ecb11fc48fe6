/** Credentials of areas: those that the index lists, and the owners of bearer tokens. */

import type { TSchema } from 'typebox';
import type { Awaitable } from '#base/awaitable.js';
import { OfferToken } from './offers.js';

/** Credentials that `GET /api/auth` lists. */
export interface ListedCredentials {
  /** The title of the area. */
  readonly title: string;
  readonly schema: Readonly<Record<string, TSchema>>;
  readonly read: (baseUrl: string) => Readonly<Record<string, unknown>>;
}

export const credentialsToken = new OfferToken<Awaitable<ListedCredentials>>('listed credentials');

/** Returns the owner of a bearer token; `undefined` for an unknown one. */
export type TokenOwner = (token: string) => string | undefined;

export const tokenOwnerToken = new OfferToken<TokenOwner>('owners of tokens');
