/**
 * The records of the sample datasets, field for field as callers receive them, in wire order.
 * Money is in US dollars with at most two decimals. Timestamps are ISO 8601 in UTC with
 * milliseconds (`2027-03-12T18:00:00.000Z`), dates are `YYYY-MM-DD`, and pictures are paths from
 * the root of this service (`/images/products/1.svg`), which responses make absolute.
 */

export interface User {
  readonly id: number;
  readonly name: string;
  readonly job: string;
  readonly city: string;
}

export interface Product {
  readonly id: number;
  readonly title: string;
  readonly price: number;
  readonly description: string;
  readonly category: string;
  /** `/images/products/{id}.svg` */
  readonly image: string;
  readonly rating: Rating;
  readonly inStock: boolean;
  /** Timestamp. */
  readonly createdAt: string;
}

export interface Rating {
  /** Mean of all votes, 0 to 5. */
  readonly rate: number;
  /** How many people voted. */
  readonly count: number;
}

export interface Post {
  readonly id: number;
  /** The user who wrote it. */
  readonly userId: number;
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  /** Timestamp. */
  readonly publishedAt: string;
  readonly likes: number;
}

export interface Todo {
  readonly id: number;
  /** The user who has to do it. */
  readonly userId: number;
  readonly title: string;
  readonly completed: boolean;
  /** `high`, `medium` or `low`. */
  readonly priority: string;
  /** Date. */
  readonly dueDate: string;
}

export interface Employee {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly department: string;
  readonly title: string;
  /** Per year. */
  readonly salary: number;
  /** Date. */
  readonly hireDate: string;
  /** An employee of the same company, or null for a person at the top. */
  readonly managerId: number | null;
  readonly companyId: number;
  readonly skills: readonly string[];
  /** Its `geo` is null for everyone in Engineering, and for nobody else. */
  readonly address: Address;
  /** False for someone who has left. */
  readonly active: boolean;
}

export interface Address {
  readonly street: string;
  readonly city: string;
  /** State, province, county or whatever comes between city and country. */
  readonly state: string;
  readonly zip: string;
  readonly country: string;
  readonly geo: GeoLocation | null;
}

/** WGS 84, in degrees. */
export interface GeoLocation {
  /** North is positive. */
  readonly lat: number;
  /** East is positive. */
  readonly lng: number;
}

export interface Company {
  readonly id: number;
  readonly name: string;
  readonly industry: string;
  /** Year. */
  readonly founded: number;
  /** Under the reserved domain `.example`, so that it never leads anywhere. */
  readonly website: string;
  readonly headquarters: CompanyHeadquarters;
  /** Per year. */
  readonly revenue: number;
  readonly employeeCount: number;
}

export interface CompanyHeadquarters {
  readonly city: string;
  readonly country: string;
}

/** A real book, in one real edition. */
export interface Book {
  readonly id: number;
  readonly title: string;
  /** Several authors are separated by a comma. */
  readonly author: string;
  /** ISBN-13 of the edition, without hyphens. */
  readonly isbn: string;
  readonly genre: string;
  /** Year in which the work first appeared, which is often not that of the edition. */
  readonly publishedYear: number;
  /** Of the edition. */
  readonly pages: number;
  /** Of the edition, by its English name. */
  readonly language: string;
  readonly price: number;
  /** 0 to 5. */
  readonly rating: number;
  readonly available: boolean;
  readonly tags: readonly string[];
}

/** A real film. */
export interface Movie {
  readonly id: number;
  readonly title: string;
  /** Several directors are separated by a comma. */
  readonly director: string;
  /** Year of the first release. */
  readonly year: number;
  readonly genres: readonly string[];
  readonly runtimeMinutes: number;
  /** 0 to 10. */
  readonly rating: number;
  readonly cast: readonly string[];
  /** Worldwide gross in US dollars, re-releases included; goes beyond 32 bits. */
  readonly boxOffice: number;
  /** `/images/movies/{id}.svg` */
  readonly poster: string;
}

/** A member state of the United Nations, or one of its two observer states. */
export interface Country {
  readonly id: number;
  /** Common English name. */
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  /** ISO 3166-1 alpha-3. */
  readonly code3: string;
  /** By the constitution; where that names none or several, the seat of government. */
  readonly capital: string;
  /** Continental region of the United Nations geoscheme (M49). */
  readonly region: string;
  /** Estimate for 2025. */
  readonly population: number;
  /** Square kilometres. */
  readonly area: number;
  /** The main one in use. */
  readonly currency: CountryCurrency;
  /** Official, national or working languages, by their English names. */
  readonly languages: readonly string[];
  /** International dialling prefix with its plus sign, such as `+49` or `+1868`. */
  readonly callingCode: string;
  /** Emoji. */
  readonly flag: string;
  /** Names in the IANA time zone database. */
  readonly timezones: readonly string[];
}

export interface CountryCurrency {
  /** ISO 4217. */
  readonly code: string;
  readonly name: string;
  readonly symbol: string;
}

export interface Person {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  readonly email: string;
  /** `female`, `male` or `non-binary`. */
  readonly gender: string;
  /** Date. */
  readonly dateOfBirth: string;
  readonly phone: string;
  /** `/images/people/{id}.svg` */
  readonly avatar: string;
  readonly address: Address;
  readonly company: PersonCompany;
}

export interface PersonCompany {
  readonly name: string;
  /** The person's position there. */
  readonly title: string;
}

export interface Event {
  readonly id: number;
  readonly name: string;
  readonly category: string;
  readonly venue: string;
  readonly city: string;
  /** Timestamp. */
  readonly startsAt: string;
  /** Timestamp, never before `startsAt`. */
  readonly endsAt: string;
  /** Of one ticket; 0 when admission is free. */
  readonly price: number;
  /** How many tickets there are. */
  readonly capacity: number;
  /** 0 to `capacity`. */
  readonly ticketsSold: number;
  readonly organizer: string;
  readonly tags: readonly string[];
}

export interface Album {
  readonly id: number;
  readonly userId: number;
  readonly title: string;
}

export interface Photo {
  readonly id: number;
  readonly albumId: number;
  readonly title: string;
  /** `/images/photos/{id}.svg` */
  readonly url: string;
  /** `/images/photos/{id}-thumbnail.svg` */
  readonly thumbnailUrl: string;
}

/** What the pagination styles page through; no query of the GraphQL schema shows it. */
export interface Item {
  readonly id: number;
  readonly name: string;
  readonly category: string;
  readonly price: number;
  /** Timestamp, later than that of the item before. */
  readonly createdAt: string;
}

/** Every dataset, each in the order of its ids, which run from 1 without a gap. */
export interface Datasets {
  readonly users: readonly User[];
  readonly products: readonly Product[];
  readonly posts: readonly Post[];
  readonly todos: readonly Todo[];
  readonly employees: readonly Employee[];
  readonly companies: readonly Company[];
  readonly books: readonly Book[];
  readonly movies: readonly Movie[];
  readonly countries: readonly Country[];
  readonly people: readonly Person[];
  readonly events: readonly Event[];
  readonly albums: readonly Album[];
  readonly photos: readonly Photo[];
  readonly items: readonly Item[];
}
