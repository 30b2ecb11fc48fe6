/** Rejects misspelled names of query parameters where other names are accepted. */

import { misspelledNameIn } from '#base/text/did-you-mean.js';
import type { Fields } from '#http/exchange.js';
import type { ValueFault } from '#json-schema/find-faults.js';
import type { Validate } from './validators.js';

/** `synonyms` lead from other names to the names in `fields`. */
export function spellingValidator(
  fields: Fields,
  synonyms: Readonly<Record<string, string>>,
): Validate {
  const meantBy = misspelledNameIn([...Object.keys(fields), ...Object.keys(synonyms)]);
  return (query) => {
    const unknown = Object.keys(query as object).filter((name) => !Object.hasOwn(fields, name));
    const faults = unknown.flatMap((name): readonly ValueFault[] => {
      const found = meantBy(name);
      if (found === undefined) return [];
      const meant = Object.hasOwn(synonyms, found) ? synonyms[found] : found;
      const params = { additionalProperty: name, meant };
      return [{ ...unknownName, params, parentSchema: { properties: fields }, data: query }];
    });
    return faults.length === 0 ? undefined : faults;
  };
}

const unknownName = {
  instancePath: '',
  keyword: 'additionalProperties',
  message: 'has an unknown name',
  schema: false,
};
