/** Offers that the front page collects from all areas. */

import type { Json } from '../example.js';
import type { HeaderValues } from './entries.js';
import { OfferToken } from './offers.js';

/** A request that the console of the front page suggests. */
export interface Preset {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  /** Example response that the console shows before the request is sent. */
  readonly response?: {
    readonly headers: HeaderValues;
    readonly json: Json;
  };
}

export const presetToken = new OfferToken<Preset>('preset');

/** A file that tools import, which is also in the list of downloads. */
export interface ImportedFile {
  readonly path: string;
  readonly name: string;
  readonly format: string;
  readonly for: string;
}

export const importedFileToken = new OfferToken<ImportedFile>('imported file');
