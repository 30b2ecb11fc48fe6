import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { type Held, hold, holdVariants, list } from './held.js';

const service = useService();
const { send } = service;

const basic = 'Basic YWRtaW46cGFzc3dvcmQxMjM=';
const json = { Accept: 'application/json' };
const guarded = { ...json, Authorization: basic };
const plain = { type: 'text/plain' };
const xmlType = 'application/xml';
const form = 'application/x-www-form-urlencoded';
const booking = {
  ...{ firstname: 'Jim', lastname: 'Brown', totalprice: 111, depositpaid: true },
  bookingdates: { checkin: '2018-01-01', checkout: '2019-01-01' },
  additionalneeds: 'Breakfast',
};
const xml = `<booking>\n    <firstname>Jim</firstname>\n    <lastname>Brown</lastname>\n    <totalprice>111</totalprice>\n    <depositpaid>true</depositpaid>\n    <bookingdates>\n        <checkin>2018-01-01</checkin>\n        <checkout>2019-01-01</checkout>\n    </bookingdates>\n    <additionalneeds>Breakfast</additionalneeds>\n</booking>`;
const asForm =
  'firstname=Jim&lastname=Brown&totalprice=111&depositpaid=true&bookingdates%5Bcheckin%5D=2018-01-01&bookingdates%5Bcheckout%5D=2019-01-01&additionalneeds=Breakfast';
const admin = { username: 'admin', password: 'password123' };

const documented: readonly Held[] = [
  { ask: 'GET /ping', status: 201, ...plain, text: 'Created' },
  { ask: 'POST /auth', json: admin, shape: { token: '' } },
  { ask: 'POST /auth', json: { ...admin, password: 'x' }, is: { reason: 'Bad credentials' } },
  { ask: 'GET /booking', shape: list(10, { bookingid: 0 }) },
  { ask: 'POST /booking', json: booking, headers: json, is: { bookingid: 11, booking } },
  { ask: 'GET /booking/11', headers: json, is: booking },
  { ask: 'GET /booking?firstname=Jim&lastname=Brown', is: [{ bookingid: 11 }] },
  {
    ask: 'GET /booking?checkin=2017-12-31&checkout=2018-12-31&firstname=Jim',
    is: [{ bookingid: 11 }],
  },
  {
    ask: 'GET /booking/11',
    headers: { Accept: xmlType },
    type: 'text/html',
    text: `<?xml version='1.0'?>\n${xml}`,
  },
  { ask: 'GET /booking/11', headers: { Accept: form }, type: 'text/html', text: asForm },
  {
    ask: 'POST /booking',
    body: xml,
    headers: { ...json, 'Content-Type': 'text/xml' },
    is: { bookingid: 12, booking },
  },
  {
    ask: 'POST /booking',
    body: asForm,
    headers: { ...json, 'Content-Type': form },
    is: { bookingid: 13, booking },
  },
  {
    ask: 'PUT /booking/11',
    json: { ...booking, firstname: 'James' },
    headers: guarded,
    has: { firstname: 'James' },
  },
  {
    ask: 'PATCH /booking/11',
    json: { lastname: 'Green' },
    headers: guarded,
    has: { firstname: 'James', lastname: 'Green' },
  },
  { ask: 'DELETE /booking/11', headers: guarded, status: 201, ...plain, text: 'Created' },
  { ask: 'GET /booking/11', headers: json, status: 404, ...plain, text: 'Not Found' },
];

const variants: readonly Held[] = [
  { ask: 'GET /booking?checkin=2999-01-01', is: [] },
  {
    ask: 'GET /booking/1',
    headers: { Accept: 'text/html' },
    status: 418,
    ...plain,
    text: "I'm a Teapot",
  },
  { ask: 'GET /booking/1', status: 418, ...plain },
  {
    ask: 'POST /booking',
    json: { firstname: 'Jim' },
    headers: json,
    status: 500,
    ...plain,
    text: 'Internal Server Error',
  },
  {
    ask: 'POST /booking',
    json: { ...booking, firstname: 1 },
    headers: json,
    status: 500,
    ...plain,
  },
  {
    ask: 'POST /booking',
    body: '{',
    headers: { ...json, 'Content-Type': 'application/json' },
    status: 400,
    type: 'text/html',
    text: 'Bad Request',
  },
  {
    ask: 'POST /booking',
    body: '<booking><firstname>',
    headers: { ...json, 'Content-Type': 'text/xml' },
    status: 400,
    type: 'text/html',
  },
  {
    ask: 'POST /booking',
    json: {
      ...booking,
      totalprice: 'x',
      depositpaid: 'false',
      bookingdates: { checkin: 'x', checkout: '2019-01-01' },
    },
    headers: json,
    has: {
      booking: { totalprice: null, depositpaid: true, bookingdates: { checkin: '0NaN-aN-aN' } },
    },
  },
  { ask: 'GET /booking?checkin=nonsense', status: 500, ...plain },
  { ask: 'PUT /booking/1', json: booking, headers: json, status: 403, ...plain, text: 'Forbidden' },
  {
    ask: 'PUT /booking/1',
    json: { firstname: 'x' },
    headers: guarded,
    status: 400,
    ...plain,
    text: 'Bad Request',
  },
  {
    ask: 'PUT /booking/999',
    json: booking,
    headers: guarded,
    status: 405,
    ...plain,
    text: 'Method Not Allowed',
  },
  { ask: 'PATCH /booking/999', json: {}, headers: guarded, status: 405, ...plain },
  { ask: 'DELETE /booking/999', headers: guarded, status: 405, ...plain },
  { ask: 'DELETE /booking/1', headers: { Cookie: 'token=abc' }, status: 403, ...plain },
  { ask: 'PATCH /booking/1', json: {}, headers: { Authorization: basic }, status: 500, ...plain },
  { ask: 'GET /booking/999', headers: json, status: 404, ...plain },
  { ask: 'GET /nothing', status: 404, ...plain },
];

hold(service, '/restful-booker', 'Documented requests', documented);
holdVariants(service, '/restful-booker', 'Documented requests', documented);
hold(service, '/restful-booker', 'Variants', variants);

test('a token of a login lets in as a cookie, in its sandbox', async () => {
  const { token } = (await send('POST /s/one/restful-booker/auth', { json: admin })).json;
  const headers = { ...json, Cookie: `token=${token}` };
  expect(token).toMatch(/^[\da-f]{15}$/);
  const change = { json: { firstname: 'New' }, headers };
  expect((await send('PATCH /s/one/restful-booker/booking/1', change)).json.firstname).toBe('New');
  expect((await send('PATCH /s/two/restful-booker/booking/1', change)).status).toBe(403);
  expect((await send('GET /s/two/restful-booker/booking/1', { headers })).json.firstname).not.toBe(
    'New',
  );
});
