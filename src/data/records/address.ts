/** Postal addresses. */

import { Type } from 'typebox';
import { decimalNumber, nullable, text } from '../field-types.js';

/** WGS 84, in degrees. */
const geoLocation = Type.Object(
  {
    lat: decimalNumber({ minimum: -90, maximum: 90, description: 'North is positive.' }),
    lng: decimalNumber({ minimum: -180, maximum: 180, description: 'East is positive.' }),
  },
  { title: 'GeoLocation' },
);

export const address = Type.Object(
  {
    street: text(200),
    city: text(120),
    /** State, province or county. */
    state: text(120),
    zip: text(20),
    country: text(120),
    geo: nullable(geoLocation, { default: null }),
  },
  { title: 'Address' },
);
