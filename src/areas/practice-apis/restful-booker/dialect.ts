/** restful-booker: bookings that are kept, with the documented oddities of the original. */

import { randomBytes } from 'node:crypto';
import { isObject, type JsonObject } from '#base/json-object.js';
import type { Space } from '#state/state.js';
import type { Call } from '../dialect/call.js';
import type { Item } from '../dialect/collection.js';
import { collectionsOf, declareDialect } from '../dialect/declare.js';
import { bareStatus, Outcome } from '../dialect/outcome.js';
import { pickFrom } from '../dialect/pick-from.js';
import { readXml, valueIn, writeElement } from '../dialect/xml.js';

const { bookings } = collectionsOf<'bookings'>('restful-booker');

/** Tokens of logins, which the original forgets when it restarts. */
const tokens: Space<true> = { name: 'restful-booker-tokens', maxKeys: 100 };

const members = [
  'firstname',
  'lastname',
  'totalprice',
  'depositpaid',
  'bookingdates',
  'additionalneeds',
];

/** Reads JSON, a form, or XML in an element `booking`; an oddity: the type must be exactly `text/xml`. */
async function readBooking(call: Call): Promise<JsonObject> {
  const type = call.header('content-type') ?? '';
  const body = /^(?:text|application)\/(?:\w+\+)?xml/.test(type)
    ? valueIn(readXml(await call.bytes(), type))
    : await call.body();
  return pickFrom(isObject(body) ? body : {}, members);
}

/** Trims the names, which throws unless they are texts, as in the original. */
function trimmed(booking: JsonObject): JsonObject {
  const names = ['firstname', 'lastname'].filter((name) => booking[name]);
  if (names.some((name) => typeof booking[name] !== 'string')) throw bareStatus(500);
  return {
    ...booking,
    ...Object.fromEntries(names.map((name) => [name, String(booking[name]).trim()])),
  };
}

function isComplete(booking: JsonObject): boolean {
  const dates: JsonObject = isObject(booking.bookingdates) ? booking.bookingdates : {};
  const needed = [
    ...members.slice(0, 4).map((name) => booking[name]),
    ...[dates.checkin, dates.checkout],
  ];
  return needed.every((value) => value !== undefined && value !== null);
}

/** Shows an invalid date as the original does. */
function shownDate(given: unknown): string {
  const date = new Date(given as string);
  return Number.isNaN(date.getTime()) ? '0NaN-aN-aN' : date.toISOString().slice(0, 10);
}

/** Converts the members of a booking; an oddity: any text is a paid deposit. */
function shown({
  firstname,
  lastname,
  totalprice,
  depositpaid,
  bookingdates,
  additionalneeds,
}: JsonObject) {
  const { checkin, checkout }: JsonObject = isObject(bookingdates) ? bookingdates : {};
  const price = Number.parseInt(String(totalprice), 10);
  return {
    firstname,
    lastname,
    totalprice: Number.isNaN(price) ? null : price,
    depositpaid: Boolean(depositpaid),
    bookingdates: { checkin: shownDate(checkin), checkout: shownDate(checkout) },
    ...(additionalneeds !== undefined && { additionalneeds }),
  };
}

function formOf(value: object, inside = ''): string[] {
  return Object.entries(value).flatMap(([name, each]) => {
    const key = inside === '' ? name : `${inside}[${name}]`;
    const isInner = typeof each === 'object' && each !== null;
    return isInner
      ? formOf(each, key)
      : [`${encodeURIComponent(key)}=${encodeURIComponent(String(each))}`];
  });
}

/** Writes what Accept names exactly; anything else, and no Accept, gets the status for a wrong one. */
function written(call: Call, name: string, value: object, wrong = 418): unknown {
  const accept = call.header('accept');
  if (accept === 'application/json' || accept === '*/*') return value;
  if (accept === 'application/x-www-form-urlencoded')
    return new Outcome(200, formOf(value).join('&'));
  if (accept !== 'application/xml') return bareStatus(wrong);
  const element = writeElement(name, value, (list) => list, '\n');
  return new Outcome(200, `<?xml version='1.0'?>\n${element}`);
}

/** Filters by names, and by dates after the given ones. */
async function listIds(call: Call) {
  const tests = ['firstname', 'lastname'].flatMap((name) => {
    const wanted = call.query(name);
    return wanted === undefined ? [] : [(item: Item) => item[name] === wanted];
  });
  for (const name of ['checkin', 'checkout']) {
    const text = call.query(name);
    if (text === undefined) continue;
    const date = new Date(text);
    if (Number.isNaN(date.getTime())) throw bareStatus(500);
    const after = date.toISOString();
    tests.push(
      ({ bookingdates }) => String((bookingdates as JsonObject | undefined)?.[name]) > after,
    );
  }
  const found = (await call.list(bookings)).filter((item) =>
    tests.every((isRight) => isRight(item)),
  );
  return found.map(({ bookingid }) => ({ bookingid }));
}

const idOf = ({ params }: Call) => Number.parseInt(params.id ?? '', 10);

async function show(call: Call) {
  const found = await call.find(bookings, idOf(call));
  return found === undefined ? bareStatus(404) : written(call, 'booking', shown(found));
}

async function create(call: Call) {
  const booking = trimmed(await readBooking(call));
  if (!isComplete(booking)) return bareStatus(500);
  const item = await call.create(
    bookings,
    (id) => ({ bookingid: id, ...booking }) as unknown as Item,
  );
  return written(call, 'created-booking', { bookingid: item.bookingid, booking: shown(item) });
}

async function isAllowed(call: Call): Promise<boolean> {
  if (call.header('authorization') === 'Basic YWRtaW46cGFzc3dvcmQxMjM=') return true;
  const token = call.cookie('token');
  return token !== undefined && (await call.request.sandbox.read(tokens, token)) === true;
}

/** For an unknown booking. Servers must say what is allowed (RFC 9110 section 15.5.6). */
const absent = () => {
  const { status, body, headers } = bareStatus(405);
  return new Outcome(status, body, { ...headers, allow: 'GET' });
};

async function update(call: Call) {
  if (!(await isAllowed(call))) return bareStatus(403);
  const isWhole = call.request.method === 'PUT';
  const given = await readBooking(call);
  const booking = isWhole ? trimmed(given) : given;
  if (isWhole && !isComplete(booking)) return bareStatus(400);
  const item = await call.change(bookings, idOf(call), (before) => ({ ...before, ...booking }));
  return item === undefined ? absent() : written(call, 'booking', shown(item), isWhole ? 418 : 500);
}

async function remove(call: Call) {
  if (!(await isAllowed(call))) return bareStatus(403);
  const found = await call.remove(bookings, idOf(call));
  return found === undefined ? absent() : bareStatus(201);
}

async function login(call: Call) {
  const { username, password } = await call.body();
  if (username !== 'admin' || password !== 'password123') return { reason: 'Bad credentials' };
  const token = randomBytes(8).toString('hex').slice(0, 15);
  return call.request.sandbox.update(tokens, token, () => ({ value: true, result: { token } }));
}

export const dialect = declareDialect(
  'restful-booker',
  {
    ping: () => bareStatus(201),
    createToken: login,
    getBookingIds: listIds,
    getBooking: show,
    createBooking: create,
    updateBooking: update,
    partialUpdateBooking: update,
    deleteBooking: remove,
  },
  { unknown: () => bareStatus(404), failure: (status) => bareStatus(status).body },
);
