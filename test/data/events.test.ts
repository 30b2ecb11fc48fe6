import { describe, expect, test } from 'vitest';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { useService } from '../support/service.js';

const nowMs = Date.parse('2027-01-01T00:00:00Z');
const service = useService({ now: () => nowMs });
const { events } = loadDatasets();

const valid = {
  name: 'Night of the Open Interfaces',
  category: 'Technology',
  venue: 'Old Mill',
  city: 'Ghent',
  startsAt: '2027-05-01T18:00:00.000Z',
  endsAt: '2027-05-01T23:00:00.000Z',
  price: 12.5,
  capacity: 200,
  ticketsSold: 20,
  organizer: 'Interface Society',
  tags: ['api', 'evening'],
};

async function create(fields: object = {}) {
  const { status, json, headers } = await service.send('POST /api/Events', {
    json: { ...valid, ...fields },
  });
  expect(status).toBe(201);
  return { id: json.id as number, event: json, etag: headers.etag as string };
}

describe('the list', () => {
  test('is a bare array of every event, with the total', async () => {
    const { status, headers, json } = await service.send('GET /api/Events');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(json.slice(0, events.length)).toEqual(events);
    expect(headers['x-total-count']).toBe(String(json.length));
    for (const name of ['link', 'x-page', 'x-per-page', 'x-total-pages']) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  test.each([
    ['/api/events', 30],
    ['/API/EVENTS/', 30],
    ['/api/Events/?limit=3', 3],
  ])('is found at %s', async (path, length) => {
    const { status, json } = await service.send(`GET ${path}`);
    expect(status).toBe(200);
    expect(json.length).toBeGreaterThanOrEqual(length);
  });

  test.each<[string, (event: (typeof events)[number]) => boolean]>([
    ['category=Music', (event) => event.category === 'Music'],
    ['category=mUSIC', (event) => event.category === 'Music'],
    ['category=Music&category=Art', (event) => ['Music', 'Art'].includes(event.category)],
    ['category_in=music,art', (event) => ['Music', 'Art'].includes(event.category)],
    ['category_ne=music', (event) => event.category !== 'Music'],
    ['price=42.5', (event) => event.price === 42.5],
    ['price=4.25e1', (event) => event.price === 42.5],
    ['price_gte=35&price_lt=100', (event) => event.price >= 35 && event.price < 100],
    ['price_gt=35&price_lte=100', (event) => event.price > 35 && event.price <= 100],
    ['capacity_in=60,900', (event) => event.capacity === 60 || event.capacity === 900],
    ['id=7', (event) => event.id === 7],
    ['id_in=3,5,999', (event) => event.id === 3 || event.id === 5],
    ['tags=outdoor', (event) => event.tags.includes('outdoor')],
    ['tags=OUTDOOR', (event) => event.tags.includes('outdoor')],
    ['tags_ne=outdoor', (event) => !event.tags.includes('outdoor')],
    ['tags=outdo', () => false],
    ['startsAt_gte=2027-01-01', (event) => event.startsAt >= '2027-01-01'],
    ['startsAt=2026-06-19T20:00:00%2B02:00', (event) => event.id === 1],
    ['q=jazz', (event) => /jazz/i.test([event.name, event.organizer, ...event.tags].join())],
    ['q=REYKJAV%C3%8DK', (event) => event.city === 'Reykjavík'],
    ['q=', () => true],
    ['q=2027-', () => false],
    ['name=', () => false],
    ['category=Music&q=jazz&price_gt=0', (event) => event.id === 1],
    ['delay=0', () => true],
  ])('with ?%s has the matching records, and counts them', async (query, matches) => {
    const known = `${query}&id_lte=${events.length}`;
    const { status, json, headers } = await service.send(`GET /api/Events?${known}`);
    expect(status).toBe(200);
    expect(json).toEqual(events.filter(matches));
    expect(headers['x-total-count']).toBe(String(json.length));
    const counted = await service.send(`GET /api/Events/count?${known}`);
    expect(counted.json).toEqual({ count: json.length });
  });

  test.each<[string, (a: (typeof events)[number], b: (typeof events)[number]) => number]>([
    ['sort=price', (a, b) => a.price - b.price || a.id - b.id],
    ['sort=-price', (a, b) => b.price - a.price || a.id - b.id],
    ['sort=price&order=desc', (a, b) => b.price - a.price || a.id - b.id],
    ['sort=price&order=DESC', (a, b) => b.price - a.price || a.id - b.id],
    [
      'sort=category,-price',
      (a, b) => a.category.localeCompare(b.category) || b.price - a.price || a.id - b.id,
    ],
    ['sort=city, id', (a, b) => a.city.localeCompare(b.city, 'en') || a.id - b.id],
    ['sort=-startsAt', (a, b) => (a.startsAt < b.startsAt ? 1 : -1)],
    ['order=desc', (a, b) => b.id - a.id],
    ['order=asc', (a, b) => a.id - b.id],
  ])('with ?%s is in that order', async (query, compare) => {
    const target = `GET /api/Events?${encodeURI(query)}&id_lte=${events.length}`;
    const { json } = await service.send(target);
    expect(json.map(({ id }: { id: number }) => id)).toEqual(
      [...events].sort(compare).map(({ id }) => id),
    );
  });

  const own = (path: string) => `${service.url}${path}`;

  test.each<[string, number[], Record<string, string | undefined>, Record<string, string>]>([
    [
      'limit=10',
      [1, 10],
      { 'x-page': '1', 'x-per-page': '10', 'x-total-pages': '3' },
      { first: 'page=1', next: 'page=2', last: 'page=3' },
    ],
    [
      'limit=10&page=3',
      [21, 10],
      { 'x-page': '3', 'x-per-page': '10', 'x-total-pages': '3' },
      { first: 'page=1', prev: 'page=2', last: 'page=3' },
    ],
    [
      'limit=7&page=9',
      [0, 0],
      { 'x-page': '9', 'x-per-page': '7', 'x-total-pages': '5' },
      { first: 'page=1', prev: 'page=5', last: 'page=5' },
    ],
    [
      'limit=7&page=2&offset=1',
      [8, 7],
      { 'x-page': '2', 'x-per-page': '7', 'x-total-pages': '5' },
      { first: 'page=1', prev: 'page=1', next: 'page=3', last: 'page=5' },
    ],
    [
      'limit=10&offset=5',
      [6, 10],
      { 'x-page': undefined, 'x-per-page': '10', 'x-total-pages': '3' },
      { first: 'offset=0', prev: 'offset=0', next: 'offset=15', last: 'offset=25' },
    ],
    [
      'limit=10&offset=40',
      [0, 0],
      { 'x-page': undefined, 'x-per-page': '10', 'x-total-pages': '3' },
      { first: 'offset=0', prev: 'offset=30', last: 'offset=20' },
    ],
    ['offset=28', [29, 2], { 'x-page': undefined, 'x-per-page': undefined }, {}],
    [
      'limit=100',
      [1, 30],
      { 'x-page': '1', 'x-total-pages': '1' },
      { first: 'page=1', last: 'page=1' },
    ],
  ])(
    'with ?%s is that page, and links to the others',
    async (query, [from, size], figures, links) => {
      const known = `id_lte=${events.length}&${query}`;
      const { json, headers } = await service.send(`GET /api/Events?${known}`);
      const expected = Array.from({ length: size ?? 0 }, (_, index) => (from ?? 0) + index);
      expect(json.map(({ id }: { id: number }) => id)).toEqual(expected);
      expect(headers['x-total-count']).toBe('30');
      for (const [name, value] of Object.entries(figures)) expect(headers[name]).toBe(value);
      const kept = known.replace(/&(page|offset)=\d+/g, '');
      const expectedLinks = Object.entries(links).map(
        ([relation, target]) => `<${own(`/api/Events?${kept}&${target}`)}>; rel="${relation}"`,
      );
      expect(headers.link).toBe(expectedLinks.length === 0 ? undefined : expectedLinks.join(', '));
    },
  );

  test('keeps odd filters intact in its links', async () => {
    const query = `q=${encodeURIComponent('a b&c=<d>"é🦊')}&category=Art&category=Music&limit=1`;
    const { headers } = await service.send(`GET /api/Events?${query}`);
    const [, target = ''] = /<([^>]+)>; rel="first"/.exec(headers.link as string) ?? [];
    const { searchParams } = new URL(target);
    expect(searchParams.get('q')).toBe('a b&c=<d>"é🦊');
    expect(searchParams.getAll('category')).toEqual(['Art', 'Music']);
  });

  test.each([
    ['limit=0', 'limit', 'must be an integer from 1 to 100'],
    ['limit=101', 'limit', 'from 1 to 100'],
    ['limit=ten', 'limit', 'from 1 to 100'],
    ['limit=', 'limit', 'from 1 to 100'],
    ['limit=1.5', 'limit', 'from 1 to 100'],
    ['limit=-1', 'limit', 'from 1 to 100'],
    ['limit=1e1', 'limit', 'from 1 to 100'],
    ['limit=1&limit=2', 'limit', 'must be given once; got 2 values'],
    ['limit=5&page=0', 'page', 'must be an integer from 1'],
    ['page=2', 'page', 'needs limit'],
    ['offset=-1', 'offset', 'must be an integer from 0'],
    ['offset=99999999999', 'offset', 'must be an integer from 0'],
    ['sort=nothing', 'sort', 'id, name, category'],
    ['sort=tags', 'sort', 'must be fields separated by commas'],
    ['sort=', 'sort', 'must be fields separated by commas'],
    ['sort=name,', 'sort', 'must be fields separated by commas'],
    ['order=up', 'order', 'must be asc or desc'],
    ['price=cheap', 'price', 'must be a number'],
    ['price_in=1,x', 'price_in', 'must be a number, or several separated by commas; got "x"'],
    ['capacity=1.5', 'capacity', 'must be an integer'],
    ['startsAt_gte=soon', 'startsAt_gte', 'must be a date or a time such as'],
    ['startsAt=2027-02-30', 'startsAt', 'must be a date or a time such as'],
    ['startsAt=2026-06-19T20:00:00+02:00', 'startsAt', 'a plus sign is written %2B'],
    [`q=${'x'.repeat(201)}`, 'q', 'must be at most 200 characters'],
    ['colour=red', 'colour', 'Use limit, page, offset, sort, order, q, fields, embed, a field'],
    ['Category=Music', 'Category', 'Unknown query parameter Category'],
    ['price_like=1', 'price_like', 'Unknown query parameter'],
    ['tags_gte=a', 'tags_gte', 'Unknown query parameter'],
    ['limit[]=1', 'limit[]', 'Unknown query parameter'],
    ['__proto__=1', '__proto__', 'Unknown query parameter'],
    ['constructor=1', 'constructor', 'Unknown query parameter'],
    ['=1', '', 'Unknown query parameter'],
  ])('with ?%s is 400, and the response names %s', async (query, field, message) => {
    const { status, json } = await service.send(`GET /api/Events?${query}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ field, message: expect.stringContaining(message) }]);
    expect(json.message).toContain(message);
  });

  test('names every invalid parameter at once', async () => {
    const { json } = await service.send('GET /api/Events?limit=0&colour=red&price=x&order=up');
    expect(json.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
      ['colour', 'limit', 'order', 'price'].sort(),
    );
  });

  test('ignores the parameters of simulated faults', async () => {
    const { json } = await service.send('GET /api/Events?delay=0&limit=2');
    expect(json).toHaveLength(2);
  });

  test('responds to HEAD with the headers of GET', async () => {
    const got = await service.send('GET /api/Events?limit=5');
    const { status, headers } = await service.send('HEAD /api/Events?limit=5');
    expect(status).toBe(200);
    for (const name of ['content-length', 'content-type', 'link', 'x-total-count', 'x-page']) {
      expect(headers[name]).toBe(got.headers[name]);
    }
  });

  test('rejects a URL that is too long for the links', async () => {
    const { status } = await service.send(`GET /api/Events?id_in=${'1,'.repeat(1500)}1`);
    expect(status).toBe(414);
  });
});

describe('upcoming events', () => {
  test('are the events after now, the next one first', async () => {
    const { json, headers } = await service.send('GET /api/Events/upcoming?id_lte=30');
    const expected = events
      .filter((event) => event.startsAt >= '2027-01-01')
      .sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1));
    expect(json).toEqual(expected);
    expect(headers['x-total-count']).toBe(String(expected.length));
  });

  test('are the events after ?from=, filtered and paged like any list', async () => {
    const query = 'from=2026-10-01&category=Music&limit=2&sort=-price';
    const { json, headers } = await service.send(`GET /api/Events/upcoming?${query}`);
    const music = events.filter((e) => e.category === 'Music' && e.startsAt >= '2026-10-01');
    expect(headers['x-total-count']).toBe(String(music.length));
    expect(json).toEqual([...music].sort((a, b) => b.price - a.price).slice(0, 2));
    expect(headers.link).toContain('/api/Events/upcoming?from=2026-10-01&');
  });

  test.each([
    ['from=soon', 'must be a date or a time'],
    ['from=', 'must be a date or a time'],
    ['from=2027-01-01&from=2028-01-01', 'must be given once; got 2 values'],
  ])('with ?%s are 400: from %s', async (query, says) => {
    const { status, json } = await service.send(`GET /api/Events/upcoming?${query}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ field: 'from', message: expect.stringContaining(says) }]);
  });
});

test('the count accepts only filters', async () => {
  const { status, json } = await service.send('GET /api/Events/count?limit=5');
  expect(status).toBe(400);
  expect(json.message).toContain('Use q, a field');
});

describe('one event', () => {
  test('is the record, with an entity tag', async () => {
    const { status, json, headers } = await service.send('GET /api/Events/3');
    expect(status).toBe(200);
    expect(json).toEqual(events[2]);
    expect(Object.keys(json)).toEqual(Object.keys(events[2] ?? {}));
    expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
    const head = await service.send('HEAD /api/Events/3');
    expect(head.status).toBe(200);
    expect(head.headers.etag).toBe(headers.etag);
    expect(head.headers['content-length']).toBe(headers['content-length']);
  });

  test('is 304 with only the entity tag for a client that has it', async () => {
    const { headers } = await service.send('GET /api/Events/3');
    const etag = headers.etag as string;
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await service.send('GET /api/Events/3', {
        headers: { 'If-None-Match': tag },
      });
      expect(response.status).toBe(304);
      expect(response.headers.etag).toBe(etag);
      expect(response.headers).not.toHaveProperty('content-type');
    }
    const other = await service.send('GET /api/Events/3', { headers: { 'If-None-Match': '"x"' } });
    expect(other.status).toBe(200);
    const head = await service.send('HEAD /api/Events/3', { headers: { 'If-None-Match': etag } });
    expect(head.status).toBe(304);
  });

  test.each(['999', '-1', '0', '9007199254740991'])('with the id %s is 404', async (id) => {
    const { status, json } = await service.send(`GET /api/Events/${id}`);
    expect(status).toBe(404);
    expect(json.message).toMatch(/^There is no event .* GET \/api\/Events lists/);
  });

  test.each(['abc', '1.5', '1e999', '99999999999999999999', '%00', '__proto__', 'constructor'])(
    'with the id %s is 400',
    async (id) => {
      const { status, json } = await service.send(`GET /api/Events/${id}`);
      expect(status).toBe(400);
      expect(json.errors[0].field).toBe('id');
      expect(json.message).toMatch(/^The path parameter id must be an integer/);
    },
  );
});

describe('creating', () => {
  test('responds with 201, the record, its Location and its entity tag', async () => {
    const { status, headers, json } = await service.send('POST /api/Events', { json: valid });
    expect(status).toBe(201);
    expect(json).toEqual({ id: json.id, ...valid });
    expect(headers.location).toBe(`${service.url}/api/Events/${json.id}`);
    const read = await service.send(`GET ${new URL(headers.location as string).pathname}`);
    expect(read.json).toEqual(json);
    expect(read.headers.etag).toBe(headers.etag);
  });

  test('sets omitted fields to their defaults', async () => {
    const { name, startsAt, endsAt } = valid;
    const { status, json } = await service.send('POST /api/Events', {
      json: { endsAt, startsAt, name },
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: json.id,
      name,
      category: 'Other',
      venue: 'To be announced',
      city: 'To be announced',
      startsAt,
      endsAt,
      price: 0,
      capacity: 0,
      ticketsSold: 0,
      organizer: 'Unknown',
      tags: [],
    });
    expect(Object.keys(json)).toEqual(Object.keys(events[0] ?? {}));
  });

  test('keeps times in UTC', async () => {
    const { event } = await create({
      startsAt: '2027-05-01T20:00:00+02:00',
      endsAt: '2027-05-01T18:00:00Z',
    });
    expect(event.startsAt).toBe('2027-05-01T18:00:00.000Z');
    expect(event.endsAt).toBe('2027-05-01T18:00:00.000Z');
  });

  test.each<[string, unknown, string[]]>([
    ['nothing', {}, ['name', 'startsAt', 'endsAt']],
    ['an id', { ...valid, id: 4 }, ['id']],
    ['an unknown field', { ...valid, colour: 'red' }, ['colour']],
    [
      'a prototype',
      JSON.parse(`{"__proto__": {"x": 1}, "name": "x"}`),
      ['__proto__', 'startsAt', 'endsAt'],
    ],
    ['a constructor', { ...valid, constructor: { x: 1 } }, ['constructor']],
    ['a blank name', { ...valid, name: ' \t' }, ['name']],
    ['a name too long', { ...valid, name: 'x'.repeat(121) }, ['name']],
    ['a number for a name', { ...valid, name: 7 }, ['name']],
    ['null for a name', { ...valid, name: null }, ['name']],
    ['a price in quotes', { ...valid, price: '12' }, ['price']],
    ['a price below 0', { ...valid, price: -0.01 }, ['price']],
    ['half a seat', { ...valid, capacity: 10.5, ticketsSold: 1 }, ['capacity']],
    ['more tickets than seats', { ...valid, ticketsSold: 201 }, ['ticketsSold']],
    ['an end before its start', { ...valid, endsAt: '2027-05-01T17:59:59Z' }, ['endsAt']],
    ['a day that does not exist', { ...valid, startsAt: '2027-02-30T00:00:00Z' }, ['startsAt']],
    ['a leap second', { ...valid, endsAt: '2027-06-30T23:59:60Z' }, ['endsAt']],
    ['a time without a zone', { ...valid, startsAt: '2027-05-01T18:00:00' }, ['startsAt']],
    ['a time that is a number', { ...valid, startsAt: 1_800_000_000 }, ['startsAt']],
    ['a string for tags', { ...valid, tags: 'api' }, ['tags']],
    ['a number among tags', { ...valid, tags: ['api', 5] }, ['tags.1']],
    ['too many tags', { ...valid, tags: Array(11).fill('x') }, ['tags']],
    [
      'many invalid fields',
      {
        name: '',
        startsAt: '2027-05-02T00:00:00Z',
        endsAt: '2027-05-01T00:00:00Z',
        price: -1,
        ticketsSold: 1,
        x: 1,
      },
      ['endsAt', 'name', 'price', 'ticketsSold', 'x'],
    ],
  ])('from %s is 400, and the response names every invalid field', async (_case, json, fields) => {
    const before = await service.send('GET /api/Events/count');
    const response = await service.send('POST /api/Events', { json });
    expect(response.status).toBe(400);
    const named = response.json.errors.map(({ field }: { field: string }) => field);
    expect(named.sort()).toEqual([...fields].sort());
    for (const { message } of response.json.errors)
      expect(response.json.message).toContain(message);
    expect((await service.send('GET /api/Events/count')).json).toEqual(before.json);
  });

  test.each([
    ['POST', '', 'name', 'Jazz\u0007', 'U+0007 is its character 5'],
    ['POST', '', 'category', '\u001b[31mMusic', 'U+001B is its character 1'],
    ['POST', '', 'venue', 'Old\nMill', 'U+000A is its character 4'],
    ['PUT', '/1', 'city', 'Ghent\u0085', 'U+0085 is its character 6'],
    ['PATCH', '/1', 'organizer', '\u202etxet', 'U+202E is its character 1'],
    ['PATCH', '/1', 'tags', ['api', 'half \ud83d'], 'U+D83D is its character 6'],
  ])(
    'by %s%s of a %s with a control character is 400',
    async (method, path, field, value, found) => {
      const before = await service.send('GET /api/Events/1');
      const { status, json } = await service.send(`${method} /api/Events${path}`, {
        json: { ...valid, [field]: value },
      });
      expect(status).toBe(400);
      const name = field === 'tags' ? 'tags.1' : field;
      const message = `${name} must hold no control characters, but ${found}.`;
      expect(json).toMatchObject({ message, errors: [{ field: name, message }] });
      expect((await service.send('GET /api/Events/1')).text).toBe(before.text);
    },
  );

  test.each([
    ['null', 'null'],
    ['[]', 'an array'],
    ['"text"', '"text"'],
    ['5', '5'],
  ])('from %s is 400', async (body, got) => {
    const headers = { 'Content-Type': 'application/json' };
    const { status, json } = await service.send('POST /api/Events', { headers, body });
    expect(status).toBe(400);
    expect(json.message).toBe(`The body must be an object; got ${got}.`);
  });

  test('says where the JSON is invalid, and which type is accepted', async () => {
    const json = { 'Content-Type': 'application/json' };
    const broken = await service.send('POST /api/Events', { headers: json, body: '{"name": }' });
    expect(broken.status).toBe(400);
    expect(broken.json.message).toContain('line 1, column 10');
    const form = { 'Content-Type': 'text/plain' };
    const typed = await service.send('POST /api/Events', { headers: form, body: 'name=x' });
    expect(typed.status).toBe(415);
  });

  test('with a price beyond any number is rejected', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify(valid).replace('12.5', '1e999');
    const { status, json } = await service.send('POST /api/Events', { headers, body });
    expect(status).toBe(400);
    expect(json.errors[0].field).toBe('price');
  });
});

describe('replacing', () => {
  test('sets omitted fields to their defaults, and uses the id of the path', async () => {
    const { id } = await create();
    const { name, startsAt, endsAt } = valid;
    const { status, json, headers } = await service.send(`PUT /api/Events/${id}`, {
      json: { id, name: `${name}!`, startsAt, endsAt },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, name: `${name}!`, price: 0, tags: [] });
    expect((await service.send(`GET /api/Events/${id}`)).json).toEqual(json);
    expect((await service.send(`GET /api/Events/${id}`)).headers.etag).toBe(headers.etag);
  });

  test('rejects another id, and names it among the other errors', async () => {
    const { id, event } = await create();
    const { status, json } = await service.send(`PUT /api/Events/${id}`, {
      json: { ...valid, id: id + 1, price: -1 },
    });
    expect(status).toBe(400);
    expect(json.errors.map(({ field }: { field: string }) => field)).toEqual(['price', 'id']);
    expect((await service.send(`GET /api/Events/${id}`)).json).toEqual(event);
  });

  test('an unknown record creates nothing', async () => {
    const { status } = await service.send('PUT /api/Events/4000', { json: valid });
    expect(status).toBe(404);
    expect((await service.send('GET /api/Events/4000')).status).toBe(404);
  });
});

describe('changing', () => {
  test.each(['application/json', 'application/merge-patch+json'])(
    'by %s keeps the rest',
    async (type) => {
      const { id, event } = await create();
      const { status, json } = await service.send(`PATCH /api/Events/${id}`, {
        headers: { 'Content-Type': type },
        body: JSON.stringify({ price: 99, tags: ['new'] }),
      });
      expect(status).toBe(200);
      expect(json).toEqual({ ...event, price: 99, tags: ['new'] });
      expect(Object.keys(json)).toEqual(Object.keys(event));
    },
  );

  test.each([
    ['application/vnd.patch+json; charset=utf-8', '{"city": "Bruges"}'],
    ['application/xml', '<city>Bruges</city>'],
    ['text/plain', '{"city": "Bruges"}'],
    [undefined, '{"city": "Bruges"}'],
  ])(
    'with a patch of the type %s is 415, and the response lists the supported types',
    async (type, body) => {
      const { id, event } = await create();
      const headers = type === undefined ? {} : { 'Content-Type': type };
      const response = await service.send(`PATCH /api/Events/${id}`, { headers, body });
      expect(response.status).toBe(415);
      const taken = 'application/merge-patch+json, application/json, application/json-patch+json';
      expect(response.headers['accept-patch']).toBe(taken);
      expect(response.json.message).toContain(`Send one of ${taken}`);
      expect((await service.send(`GET /api/Events/${id}`)).json).toEqual(event);
    },
  );

  test('without a body is 400, whatever the type', async () => {
    const headers = { 'Content-Type': 'application/json-patch+json', 'Content-Length': '0' };
    const { status, json } = await service.send('PATCH /api/Events/1', { headers });
    expect(status).toBe(400);
    expect(json.message).toContain('no body');
  });

  test('with null sets a field to its default', async () => {
    const { id, event } = await create();
    const { json } = await service.send(`PATCH /api/Events/${id}`, {
      json: { tags: null, venue: null, price: null },
    });
    expect(json).toEqual({ ...event, tags: [], venue: 'To be announced', price: 0 });
  });

  test('with an empty patch changes nothing', async () => {
    const { id, etag } = await create();
    const { status, headers } = await service.send(`PATCH /api/Events/${id}`, { json: {} });
    expect(status).toBe(200);
    expect(headers.etag).toBe(etag);
  });

  test('validates the resulting record, not only the patch', async () => {
    const { id, event } = await create();
    for (const [json, field] of [
      [{ capacity: 10 }, 'ticketsSold'],
      [{ startsAt: '2027-05-02T00:00:00Z' }, 'endsAt'],
      [{ capacity: null }, 'ticketsSold'],
      [{ name: null }, 'name'],
      [{ startsAt: null }, 'startsAt'],
      [{ id: id + 1 }, 'id'],
      [{ id: null }, 'id'],
      [{ colour: null }, 'colour'],
      [{ tags: [null] }, 'tags.0'],
    ] as const) {
      const response = await service.send(`PATCH /api/Events/${id}`, { json });
      expect(response.status).toBe(400);
      expect(response.json.errors).toMatchObject([{ field }]);
    }
    expect((await service.send(`GET /api/Events/${id}`)).json).toEqual(event);
  });

  test('an unknown record is 404', async () => {
    expect((await service.send('PATCH /api/Events/4000', { json: {} })).status).toBe(404);
  });
});

describe('deleting', () => {
  test('responds with 204, and the record is deleted permanently', async () => {
    const { id } = await create();
    expect((await service.send(`DELETE /api/Events/${id}`)).status).toBe(204);
    expect((await service.send(`GET /api/Events/${id}`)).status).toBe(404);
    expect((await service.send(`DELETE /api/Events/${id}`)).status).toBe(404);
    expect((await create()).id).toBeGreaterThan(id);
  });
});

describe('a conditional write', () => {
  const writes: [string, object?][] = [
    ['PUT', { json: { ...valid, price: 1 } }],
    ['PATCH', { json: { price: 2 } }],
    ['DELETE'],
  ];

  test.each(writes)('%s succeeds with the current entity tag', async (method, body) => {
    const { id, etag } = await create();
    const headers = { 'If-Match': `"other", ${etag}` };
    const { status } = await service.send(`${method} /api/Events/${id}`, { headers, ...body });
    expect(status).toBe(method === 'DELETE' ? 204 : 200);
  });

  test.each(writes)('%s is 412 with any other tag, and changes nothing', async (method, body) => {
    const { id, etag, event } = await create();
    for (const headers of [
      { 'If-Match': '"stale"' },
      { 'If-Match': `W/${etag}` },
      { 'If-Match': etag.replaceAll('"', '') },
      { 'If-None-Match': '*' },
      { 'If-None-Match': etag },
    ]) {
      const response = await service.send(`${method} /api/Events/${id}`, { headers, ...body });
      expect(response.status).toBe(412);
      expect(response.headers.etag).toBe(etag);
      expect(response.json.message).toContain(etag);
    }
    expect((await service.send(`GET /api/Events/${id}`)).json).toEqual(event);
  });

  test('is 404 where it would be so without its condition, and 412 before the body is checked', async () => {
    const { id } = await create();
    const headers = { 'If-Match': '"stale"' };
    expect((await service.send('DELETE /api/Events/4000', { headers })).status).toBe(404);
    const faulty = await service.send(`PATCH /api/Events/${id}`, { headers, json: { price: -1 } });
    expect(faulty.status).toBe(412);
  });

  test('of many with the same tag, one succeeds', async () => {
    const { id, etag } = await create();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, price) =>
        service.send(`PATCH /api/Events/${id}`, {
          headers: { 'If-Match': etag },
          json: { price: price + 1 },
        }),
      ),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(412)]);
  });
});

test.each([
  ['PATCH /api/Events', 'GET, HEAD, OPTIONS, POST'],
  ['POST /api/Events/1', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
  ['DELETE /api/Events/upcoming', 'GET, HEAD'],
  ['PUT /api/Events/count', 'GET, HEAD'],
  ['POST /api/Events/count', 'GET, HEAD'],
  ['PROPFIND /api/Events/upcoming', 'GET, HEAD'],
])('%s is 405, and %s are allowed', async (target, allow) => {
  const { status, headers } = await service.send(target);
  expect(status).toBe(405);
  expect(headers.allow).toBe(allow);
});
