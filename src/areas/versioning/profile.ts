/** The profile in its two versions: one record, and its form in version 1. */

import { type Static, Type } from 'typebox';

const text = Type.String();

const v1 = Type.Object(
  {
    id: Type.Integer(),
    name: text,
    email: text,
    phone: text,
    address: text,
    memberSince: Type.String({ description: 'YYYY-MM-DD' }),
  },
  { title: 'ProfileV1' },
);

const v2 = Type.Object(
  {
    id: Type.Integer(),
    firstName: text,
    lastName: text,
    displayName: text,
    contact: Type.Object({
      email: text,
      phone: Type.Object({ countryCode: text, number: text }),
    }),
    address: Type.Object({
      street: text,
      city: text,
      state: text,
      postalCode: text,
      country: text,
    }),
    preferences: Type.Object({ language: text, timezone: text, newsletter: Type.Boolean() }),
    createdAt: Type.String({ description: 'ISO 8601 in UTC.' }),
    apiVersion: text,
  },
  { title: 'ProfileV2' },
);

const profile: Static<typeof v2> = {
  id: 1,
  firstName: 'Maya',
  lastName: 'Okafor',
  displayName: 'Maya Okafor',
  contact: {
    email: 'maya.okafor@example.com',
    phone: { countryCode: '+1', number: '312-555-0142' },
  },
  address: {
    street: '48 Lakeview Terrace',
    city: 'Chicago',
    state: 'IL',
    postalCode: '60614',
    country: 'United States',
  },
  preferences: { language: 'en', timezone: 'America/Chicago', newsletter: true },
  createdAt: '2021-04-17T09:30:00.000Z',
  apiVersion: '2',
};

/** Flattens the profile, as version 1 did. */
function toV1({ id, firstName, lastName, contact, address, createdAt }: typeof profile) {
  const { phone } = contact;
  return {
    id,
    name: `${firstName} ${lastName}`,
    email: contact.email,
    phone: `${phone.countryCode}-${phone.number}`,
    address: `${address.street}, ${address.city}, ${address.state} ${address.postalCode}, ${address.country}`,
    memberSince: createdAt.slice(0, 'YYYY-MM-DD'.length),
  };
}

export const profileSchemas = { '1': v1, '2': v2 } as const;
export const profiles = { '1': toV1(profile), '2': profile } as const;
