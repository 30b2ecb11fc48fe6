/** Facts about the countries of the world, from the same dataset as everywhere else in this service. */

import type { Country, Datasets } from '../../data/records.js';
import { cut, quote } from './quote.js';
import type { RecordOf } from './schema-types.js';
import { operation, type ServiceDescription } from './service-description.js';
import { type FaultType, typedFault } from './soap-fault.js';

const countryNotFound = {
  name: 'CountryNotFound',
  fields: { CountryCode: 'string' },
} as const satisfies FaultType;

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

const countryName = {
  name: 'CountryName',
  fields: { Code: 'string', Name: 'string' },
} as const;

const arrayOfCountryName = {
  name: 'ArrayOfCountryName',
  fields: { Country: { listOf: countryName } },
} as const;

/** The service over the countries of `datasets`, which are read when it is first called. */
export function countriesService(datasets: Pick<Datasets, 'countries'>): ServiceDescription {
  let made: Directory | undefined;
  function directory(): Directory {
    made ??= directoryOf(datasets.countries);
    return made;
  }

  return {
    name: 'Countries',
    summary: 'Looks up countries by their ISO 3166-1 codes.',
    path: '/api/soap/countries',
    namespace: 'http://tempuri.org/',
    operations: [
      operation({
        name: 'GetCountryInfo',
        summary: 'The country with a two-letter or three-letter code, in capitals or not.',
        parameters: { countryCode: { type: 'string', sample: 'DE' } },
        response: { Country: countryInfo },
        faults: [countryNotFound],
        call({ countryCode }) {
          // Only ASCII: other letters turn into these when capitalized, such as the ligature fi.
          const isCode = /^[A-Za-z]{2,3}$/.test(countryCode);
          const info = isCode ? directory().infoByCode.get(countryCode.toUpperCase()) : undefined;
          if (info === undefined) throw notFound(countryCode);
          return { Country: info };
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

type CountryInfo = RecordOf<typeof countryInfo.fields>;

interface Directory {
  /** By both codes, in capitals. */
  readonly infoByCode: ReadonlyMap<string, CountryInfo>;
  readonly names: RecordOf<typeof arrayOfCountryName.fields>;
}

/** Everything in it is frozen, so that it is written as XML only once. */
function directoryOf(countries: readonly Country[]): Directory {
  const infoByCode = new Map<string, CountryInfo>();
  for (const country of countries) {
    const info = Object.freeze(infoOf(country));
    infoByCode.set(country.code, info).set(country.code3, info);
  }
  const names = countries.map(({ code, name }) => ({ Code: code, Name: name }));
  return { infoByCode, names: Object.freeze({ Country: Object.freeze(names) }) };
}

function infoOf(country: Country): CountryInfo {
  return {
    Code: country.code,
    Name: country.name,
    Capital: country.capital,
    Currency: country.currency.code,
    PhoneCode: country.callingCode,
    Continent: country.region,
    Population: country.population,
  };
}

function notFound(countryCode: string) {
  const message = `No country has the code ${quote(countryCode)}. Send an ISO 3166-1 code of two or three letters, such as DE or DEU; ListCountries has them all.`;
  return typedFault('Sender', countryNotFound, message, { CountryCode: cut(countryCode) });
}
