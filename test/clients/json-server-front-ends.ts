/**
 * The requests that front ends on GitHub send to json-server, as tables. Their repositories are the
 * source: which requests the code makes, and what it uses of each response. The data is our own.
 */

export interface FrontEnd {
  readonly name: string;
  readonly origin: string;
  /** Headers that its HTTP client adds to each request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, readonly object[]>>;
  readonly steps: readonly Step[];
}

export interface Step {
  /** The action of the user. */
  readonly user: string;
  readonly request: string;
  readonly json?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** 200 by default. */
  readonly status?: number;
  /** The members that the front end reads. */
  readonly body?: unknown;
  /** The `id`s of the list that it shows, in order. */
  readonly ids?: readonly number[];
  /** `X-Total-Count`, which a script of another origin reads. */
  readonly total?: number;
}

const shelters = [
  { id: 1, name: 'Harbour', address: '1 Quay' },
  { id: 2, name: 'Hill', address: '2 Rise' },
];
const owners = [
  { id: 1, name: 'Ada', email: 'ada@pets.example', password: 'one' },
  { id: 2, name: 'Bo', email: 'bo@pets.example', password: 'two' },
];
const pet = (id: number, name: string, locationId: number, customerId: number) => ({
  ...{ id, name, breed: 'Mixed', status: 'Checked In', locationId, customerId },
});

/**
 * https://github.com/skratz17/kennels at 3053a5c06a9a031fa3c7212ddc62b60970018be8: React, `fetch`.
 */
const kennel: FrontEnd = {
  name: 'a kennel in React',
  origin: 'http://localhost:3000',
  headers: { accept: '*/*' },
  data: {
    animals: [pet(1, 'Fig', 1, 1), pet(2, 'Moss', 2, 1), pet(3, 'Wren', 1, 2)],
    locations: shelters,
    customers: owners,
    employees: [
      { id: 1, name: 'Cy', locationId: 1, animalId: 1 },
      { id: 2, name: 'Di', locationId: 2, animalId: 2 },
    ],
  },
  steps: [
    {
      user: 'logs in by e-mail',
      request: 'GET /customers?email=ada@pets.example',
      body: [{ id: 1, password: 'one' }],
    },
    {
      user: 'logs in with an unknown e-mail',
      request: 'GET /customers?email=eve@pets.example',
      ids: [],
    },
    {
      user: 'signs up',
      request: 'POST /customers',
      json: { email: 'eve@pets.example', password: 'three', address: '3 Lane', name: 'Eve' },
      status: 201,
      body: { id: 3 },
    },
    { user: 'opens the list', request: 'GET /animals', ids: [1, 2, 3] },
    { user: 'opens the list', request: 'GET /customers', ids: [1, 2, 3] },
    { user: 'opens the list', request: 'GET /locations', body: shelters },
    {
      user: 'opens an animal',
      request: 'GET /animals/2?_expand=customer&_expand=location',
      body: { name: 'Moss', customer: { name: 'Ada' }, location: { name: 'Hill' } },
    },
    {
      user: 'adds an animal',
      request: 'POST /animals',
      json: { name: 'Ivy', breed: 'Corgi', customerId: 3, locationId: 2, status: 'Checked In' },
      status: 201,
      body: { id: 4 },
    },
    { user: 'sees the new animal', request: 'GET /animals', ids: [1, 2, 3, 4] },
    {
      user: 'edits an animal',
      request: 'PUT /animals/4',
      json: { ...pet(4, 'Ivy', 1, 3), breed: 'Corgi' },
      body: { locationId: 1 },
    },
    {
      user: 'opens the edited animal',
      request: 'GET /animals/4?_expand=customer&_expand=location',
      body: { name: 'Ivy', customer: { name: 'Eve' }, location: { name: 'Harbour' } },
    },
    { user: 'deletes an animal', request: 'DELETE /animals/1', body: {} },
    { user: 'sees the list without it', request: 'GET /animals', ids: [2, 3, 4] },
    // The employee who cared for the animal depended on it.
    { user: 'opens the employees', request: 'GET /employees', ids: [2] },
    {
      user: 'hires an employee',
      request: 'POST /employees',
      json: { name: 'Flo', locationId: 1, animalId: 4 },
      status: 201,
    },
    { user: 'sees the new employee', request: 'GET /employees', ids: [2, 3] },
    { user: 'dismisses an employee', request: 'DELETE /employees/3' },
    { user: 'sees the list without them', request: 'GET /employees', ids: [2] },
  ],
};

const member = (id: number, name: string) => ({
  ...{ id, name, surname: 'Sample', email: `${name.toLowerCase()}@list.example` },
  password: `${name}-1!`,
});
// The front end sends these headers, which cause a preflight for each request.
const written = { 'Content-Type': 'application/json', Credentials: 'include' };

/**
 * https://github.com/gunzenroses/ts-react-redux-json-server at 32e13cbbea57a2073ebde6688d0369d6932a13bb:
 * React with Redux, `fetch`.
 */
const contacts: FrontEnd = {
  name: 'a list of contacts in React with Redux',
  origin: 'http://localhost:8080',
  headers: { accept: '*/*' },
  data: {
    users: [member(1, 'Gil'), member(2, 'Hope')],
    contacts: [
      { id: 1, list: ['Hope Sample', 'Ian Sample'] },
      { id: 2, list: ['Gil Sample'] },
    ],
  },
  steps: [
    {
      user: 'logs in',
      request: 'GET /users',
      body: [
        { id: 1, email: 'gil@list.example', password: 'Gil-1!' },
        { id: 2, email: 'hope@list.example' },
      ],
    },
    {
      user: 'signs up',
      request: 'POST /users',
      headers: written,
      json: { email: 'jo@list.example', password: 'Jo-1!', name: 'Jo', surname: 'Sample' },
      status: 201,
    },
    { user: 'logs in as the new user', request: 'GET /users', ids: [1, 2, 3] },
    { user: 'opens the contacts', request: 'GET /contacts/1', body: { id: 1 } },
    {
      user: 'removes a contact',
      request: 'PATCH /contacts/1',
      headers: written,
      json: { list: ['Ian Sample'] },
    },
    {
      user: 'sees the rest',
      request: 'GET /contacts/1',
      body: { id: 1, list: ['Ian Sample'] },
    },
    {
      user: 'leaves',
      request: 'DELETE /users/3',
      headers: { ContentType: 'application/json', Credentials: 'include' },
    },
    { user: 'is gone', request: 'GET /users', ids: [1, 2] },
  ],
};

const host = { id: 'h-1', name: 'Kim' };
const meeting = (id: number, title: string) => ({
  ...{ id, user: host, category: 'nature', organizer: host, title, time: '9:00' },
  ...{ description: 'All welcome', location: 'Park', date: '2030-05-01T09:00:00.000Z' },
  attendees: [{ id: 'g-1', name: 'Lee' }],
});

/** https://github.com/Code-Pop/real-world-vue at 35e62b7d5b48d69742312df753ea2e7495135000: Vue with Vuex, axios. */
const events: FrontEnd = {
  name: 'events in Vue',
  origin: 'http://localhost:8081',
  headers: { accept: 'application/json' },
  data: {
    events: [
      meeting(4402817, 'Bird walk'),
      meeting(1093345, 'Tree planting'),
      meeting(7716020, 'Pond dipping'),
      meeting(2950011, 'Moth night'),
    ],
  },
  steps: [
    {
      user: 'opens the first page',
      request: 'GET /events?_limit=3&_page=1',
      ids: [4402817, 1093345, 7716020],
      total: 4,
    },
    {
      user: 'opens the next page',
      request: 'GET /events?_limit=3&_page=2',
      ids: [2950011],
      total: 4,
    },
    { user: 'opens a page after the last', request: 'GET /events?_limit=3&_page=3', ids: [] },
    {
      user: 'opens an event',
      request: 'GET /events/7716020',
      body: { title: 'Pond dipping', organizer: { name: 'Kim' }, attendees: [{ name: 'Lee' }] },
    },
    // The front end shows its page "not found" by the status.
    { user: 'follows an old link', request: 'GET /events/1', status: 404 },
    {
      user: 'creates an event, with an id of the front end',
      request: 'POST /events',
      json: { ...meeting(5550123, 'Bat count'), attendees: [] },
      status: 201,
      body: { id: 5550123 },
    },
    {
      user: 'is led to the new event',
      request: 'GET /events/5550123',
      body: { title: 'Bat count', user: host, attendees: [] },
    },
    {
      user: 'goes back to the second page',
      request: 'GET /events?_limit=3&_page=2',
      ids: [2950011, 5550123],
      total: 5,
    },
  ],
};

const hero = (id: number, name: string, franchise: string) => ({
  ...{ id, name, franchise, gender: 'female', imageUrl: `https://img.example/${id}.png` },
});

/** https://github.com/Shiv0168/Superhero-App-material-UI- at 41792be10897f5e9327ca6cb96c460d03e8756fa: Angular. */
const heroes: FrontEnd = {
  name: 'heroes in Angular',
  origin: 'http://localhost:4200',
  headers: { accept: 'application/json, text/plain, */*' },
  data: {
    superHeroes: [
      hero(1, 'Anvil', 'North'),
      hero(2, 'Beacon', 'South'),
      hero(3, 'Comet', 'North'),
      hero(4, 'Drift', 'South'),
      hero(5, 'Echo', 'East'),
      hero(6, 'Flare', 'East'),
      hero(7, 'Gale', 'South'),
    ],
  },
  steps: [
    {
      user: 'opens the list',
      request: 'GET /superHeroes?_page=1&_limit=5',
      ids: [1, 2, 3, 4, 5],
      total: 7,
    },
    {
      user: 'opens the next page',
      request: 'GET /superHeroes?_page=2&_limit=5',
      ids: [6, 7],
      total: 7,
    },
    {
      user: 'sorts by franchise, backwards',
      request: 'GET /superHeroes?_page=1&_limit=5&_sort=franchise&_order=desc',
      ids: [2, 4, 7, 1, 3],
      total: 7,
    },
    {
      user: 'sorts by id',
      request: 'GET /superHeroes?_page=1&_limit=5&_sort=id&_order=desc',
      ids: [7, 6, 5, 4, 3],
      total: 7,
    },
    {
      user: 'searches, and the order stays',
      request: 'GET /superHeroes?_page=1&_limit=5&_sort=franchise&_order=asc&q=South',
      ids: [2, 4, 7],
      total: 3,
    },
    {
      user: 'searches in vain',
      request: 'GET /superHeroes?_page=1&_limit=5&q=nowhere',
      ids: [],
      total: 0,
    },
    {
      user: 'adds a hero',
      request: 'POST /superHeroes',
      json: { name: 'Halo', imageUrl: '', franchise: 'West', gender: 'female' },
      status: 201,
      body: { id: 8 },
    },
    {
      user: 'opens the form',
      request: 'GET /superHeroes/8',
      body: { name: 'Halo', imageUrl: '', franchise: 'West', gender: 'female' },
    },
    {
      user: 'saves it, without the id',
      request: 'PUT /superHeroes/8',
      json: { name: 'Halo', imageUrl: '', franchise: 'East', gender: 'male' },
      body: { id: 8, franchise: 'East' },
    },
    {
      user: 'finds it by search',
      request: 'GET /superHeroes?_page=1&_limit=5&q=halo',
      ids: [8],
      total: 1,
    },
    { user: 'deletes it', request: 'DELETE /superHeroes/8', body: {} },
    {
      user: 'sees the second page without it',
      request: 'GET /superHeroes?_page=2&_limit=5',
      ids: [6, 7],
      total: 7,
    },
    { user: 'opens what is deleted', request: 'GET /superHeroes/8', status: 404 },
  ],
};

export const frontEnds: readonly FrontEnd[] = [kennel, contacts, events, heroes];
