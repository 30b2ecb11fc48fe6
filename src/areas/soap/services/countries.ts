/** Facts about countries, from the same dataset as in the rest of this service. */

import { lazily } from '#base/lazily.js';
import type { Country, Datasets } from '#data/records.js';
import { cut, quote } from '#http/xml/text.js';
import { paths } from '../paths.js';
import { operation, type Service } from '../service.js';
import { faultType, typedFault } from '../soap-fault.js';
import type { RecordOf } from '../values/schema-types.js';

const countryNotFound = faultType('CountryNotFound', { CountryCode: 'string' });

const countryInfo = {
  name: 'CountryInfo',
  fields: {
    Code: 'string',
    Name: 'string',
    Capital: 'string',
    Currency: 'string',
    PhoneCode: 'string',
    Continent: 'string',
    Population: 'long',
  },
} as const;

const countryName = { name: 'CountryName', fields: { Code: 'string', Name: 'string' } } as const;

const arrayOfCountryName = {
  name: 'ArrayOfCountryName',
  fields: { Country: { listOf: countryName } },
} as const;

/** The service over the countries of `datasets`, which are read on the first call. */
export function countriesService(datasets: Pick<Datasets, 'countries'>): Service {
  const directory = lazily(() => directoryOf(datasets.countries));
  return {
    name: 'Countries',
    summary: 'Looks up countries by their ISO 3166-1 codes.',
    path: paths.countries,
    namespace: 'http://tempuri.org/',
    operations: [
      operation({
        name: 'GetCountryInfo',
        summary: 'The country with a two-letter or three-letter code, in any letter case.',
        parameters: { countryCode: { type: 'string', sample: 'DE' } },
        response: { Country: countryInfo },
        faults: [countryNotFound],
        call({ countryCode }) {
          // Only ASCII, because other letters change to these in upper case, such as the ligature
          // fi.
          const isCode = /^[A-Za-z]{2,3}$/.test(countryCode);
          const info = isCode ? directory().infoByCode.get(countryCode.toUpperCase()) : undefined;
          if (info !== undefined) return { Country: info };
          const message = `No country has the code ${quote(countryCode)}. Send an ISO 3166-1 code of two or three letters, such as DE or DEU; ListCountries returns all.`;
          throw typedFault('Sender', countryNotFound, message, { CountryCode: cut(countryCode) });
        },
      }),
      operation({
        name: 'ListCountries',
        summary: 'The two-letter code and the name of every country.',
        parameters: {},
        response: { Countries: arrayOfCountryName },
        faults: [],
        call: () => ({ Countries: directory().names }),
      }),
    ],
  };
}

/** Deeply frozen, so that it is written as XML only once. */
function directoryOf(countries: readonly Country[]) {
  /** By both codes, in capitals. */
  const infoByCode = new Map<string, RecordOf<typeof countryInfo.fields>>();
  for (const country of countries) {
    const info = Object.freeze({
      Code: country.code,
      Name: country.name,
      Capital: country.capital,
      Currency: country.currency.code,
      PhoneCode: country.callingCode,
      Continent: country.region,
      Population: country.population,
    });
    infoByCode.set(country.code, info).set(country.code3, info);
  }
  const names = countries.map(({ code, name }) => ({ Code: code, Name: name }));
  return { infoByCode, names: Object.freeze({ Country: Object.freeze(names) }) };
}
