/** For each collection a record that a client may send, with only the required fields. */

export interface NewRecord {
  readonly title: string;
  readonly name: string;
  readonly noun: string;
  /** The required fields. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** The defaults, where they do not depend on the time. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** A change of one field. */
  readonly change: Readonly<Record<string, unknown>>;
}

const address = {
  street: '1 Mill Lane',
  city: 'Ghent',
  state: 'East Flanders',
  zip: '9000',
  country: 'Belgium',
};

export const newRecords: readonly NewRecord[] = [
  {
    title: 'Users',
    name: 'users',
    noun: 'user',
    sent: { name: 'Ada', job: 'Programmer', city: 'London' },
    defaults: {},
    change: { city: 'Paris' },
  },
  {
    title: 'Products',
    name: 'products',
    noun: 'product',
    sent: { title: 'Tea pot', price: 24.5 },
    defaults: {
      description: 'To be described',
      category: 'Other',
      rating: { rate: 0, count: 0 },
      inStock: true,
    },
    change: { price: 30 },
  },
  {
    title: 'Posts',
    name: 'posts',
    noun: 'post',
    sent: { userId: 1, title: 'First', body: 'Words' },
    defaults: { tags: [], likes: 0 },
    change: { likes: 7 },
  },
  {
    title: 'Todos',
    name: 'todos',
    noun: 'todo',
    sent: { userId: 1, title: 'Water the plants' },
    defaults: { completed: false, priority: 'medium' },
    change: { completed: true },
  },
  {
    title: 'Employees',
    name: 'employees',
    noun: 'employee',
    sent: {
      firstName: 'Grace',
      lastName: 'Hopper',
      email: 'grace@example.com',
      title: 'Admiral',
      companyId: 1,
      address,
    },
    defaults: {
      phone: 'Unknown',
      department: 'Other',
      salary: 0,
      managerId: null,
      skills: [],
      address: { ...address, geo: null },
      active: true,
    },
    change: { salary: 90000.5 },
  },
  {
    title: 'Companies',
    name: 'companies',
    noun: 'company',
    sent: {
      name: 'Mill & Daughters',
      founded: 1999,
      website: 'https://mill.example',
      headquarters: { city: 'Ghent', country: 'Belgium' },
    },
    defaults: { industry: 'Other', revenue: 0, employeeCount: 0 },
    change: { employeeCount: 12 },
  },
  {
    title: 'Books',
    name: 'books',
    noun: 'book',
    sent: {
      title: 'A Test of Books',
      author: 'T. Ester',
      isbn: '9780306406157',
      publishedYear: 2024,
      pages: 120,
    },
    defaults: {
      genre: 'Other',
      language: 'English',
      price: 0,
      rating: 0,
      available: true,
      tags: [],
    },
    change: { price: 9.5 },
  },
  {
    title: 'Movies',
    name: 'movies',
    noun: 'movie',
    sent: { title: 'The Test', director: 'T. Ester', year: 2024, runtimeMinutes: 90 },
    defaults: { genres: [], rating: 0, cast: [], boxOffice: 0 },
    change: { rating: 8.5 },
  },
  {
    title: 'Countries',
    name: 'countries',
    noun: 'country',
    sent: {
      name: 'Testland',
      code: 'XT',
      code3: 'XTL',
      capital: 'Testville',
      region: 'Europe',
      population: 9007199254740991,
      area: 12.5,
      currency: { code: 'XTC', name: 'Test crown', symbol: 'kr' },
      callingCode: '+999',
    },
    defaults: { languages: [], timezones: [] },
    change: { capital: 'New Testville' },
  },
  {
    title: 'People',
    name: 'people',
    noun: 'person',
    sent: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      username: 'ada',
      email: 'ada@example.com',
      gender: 'female',
      dateOfBirth: '1815-12-10',
      address,
      company: { name: 'Engines', title: 'Programmer' },
    },
    defaults: { phone: 'Unknown', address: { ...address, geo: null } },
    change: { username: 'countess' },
  },
  {
    title: 'Events',
    name: 'events',
    noun: 'event',
    sent: {
      name: 'Night of the Open Interfaces',
      startsAt: '2027-05-01T18:00:00.000Z',
      endsAt: '2027-05-01T23:00:00.000Z',
    },
    defaults: {
      category: 'Other',
      venue: 'To be announced',
      city: 'To be announced',
      price: 0,
      capacity: 0,
      ticketsSold: 0,
      organizer: 'Unknown',
      tags: [],
    },
    change: { capacity: 4000 },
  },
  {
    title: 'Albums',
    name: 'albums',
    noun: 'album',
    sent: { userId: 1, title: 'Summer' },
    defaults: {},
    change: { title: 'Autumn' },
  },
  {
    title: 'Photos',
    name: 'photos',
    noun: 'photo',
    sent: { albumId: 1, title: 'Beach' },
    defaults: {},
    change: { title: 'Dunes' },
  },
];
