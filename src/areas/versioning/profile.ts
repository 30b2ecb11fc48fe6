/** The profile in its two versions: one record, and what version 1 made of it. */

export interface Profile {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName: string;
  readonly contact: {
    readonly email: string;
    readonly phone: { readonly countryCode: string; readonly number: string };
  };
  readonly address: {
    readonly street: string;
    readonly city: string;
    readonly state: string;
    readonly postalCode: string;
    readonly country: string;
  };
  readonly preferences: {
    readonly language: string;
    readonly timezone: string;
    readonly newsletter: boolean;
  };
  readonly createdAt: string;
}

export const profile: Profile = {
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
};

/** Flat, as version 1 was. */
export function toProfileV1({ id, firstName, lastName, contact, address, createdAt }: Profile) {
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

export function toProfileV2(current: Profile) {
  return { ...current, apiVersion: '2' };
}
