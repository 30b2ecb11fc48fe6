/** YAML 1.2 (RFC 9512); what readers of YAML 1.1 would take for something else is quoted. */

import { requireLazily } from '../../../require-lazily.js';
import { type Format, shownRecord } from './format.js';

const yaml = requireLazily<typeof import('yaml')>('yaml');

const options = { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;

/** What a call of the writer costs is shared by as many records. */
const recordsPerPiece = 5;

export const yamlFormat: Format = {
  name: 'yaml',
  types: ['application/yaml', 'application/x-yaml', 'text/yaml'],
  contentTypeOf: (mediaType) =>
    mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
  writeOne: (context, record) => yaml().stringify(shownRecord(context, record), options),
  *writeList(context, records) {
    if (records.length === 0) yield '[]\n';
    for (let start = 0; start < records.length; start += recordsPerPiece) {
      const piece = records.slice(start, start + recordsPerPiece);
      yield yaml().stringify(
        piece.map((record) => shownRecord(context, record)),
        options,
      );
    }
  },
};
