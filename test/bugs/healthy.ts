/** Right behaviour at endpoints that have bugs, which no report may call a bug. */

import type { Call, Report } from './hunter.js';

const json = (body: unknown) => ({ body, headers: { 'Content-Type': 'application/json' } });
const about = { expected: 'Something else.', actual: 'Something wrong.' };

type Simple = Omit<Report, 'expected' | 'actual'>;

const requests: readonly Simple[] = [
  { method: 'GET', path: '/api/Events' },
  { method: 'GET', path: '/api/Events?limit=5&page=1' },
  { method: 'GET', path: '/api/Events?page=0' },
  { method: 'GET', path: '/api/Books?genre=Fantasy' },
  { method: 'GET', path: '/api/Products?sort=price' },
  { method: 'GET', path: '/api/Products?category=Shoes' },
  { method: 'GET', path: '/api/Movies?sort=title' },
  { method: 'GET', path: '/api/Posts' },
  { method: 'GET', path: '/api/Posts?limit=0' },
  { method: 'GET', path: '/api/People' },
  { method: 'GET', path: '/api/People/1?fields=id' },
  { method: 'GET', path: '/api/Albums' },
  { method: 'GET', path: '/api/Todos?completed=true' },
  { method: 'GET', path: '/api/Employees?salary_gt=1' },
  { method: 'GET', path: '/api/Movies/count' },
  { method: 'GET', path: '/api/Movies/1' },
  { method: 'GET', path: '/api/Todos/changes' },
  { method: 'GET', path: '/api/Albums/3/Photos' },
  { method: 'GET', path: '/api/Countries?sort=name' },
  { method: 'GET', path: '/api/Companies/1' },
  { method: 'GET', path: '/api/Events/9999' },
  { method: 'DELETE', path: '/api/Movies/9999' },
  { method: 'GET', path: '/api/Todos/1' },
  { method: 'POST', path: '/api/Todos/1/restore' },
  { method: 'POST', path: '/api/Users', ...json({ name: 'Ada' }) },
  { method: 'POST', path: '/api/Albums', ...json({ title: 'No user' }) },
  { method: 'POST', path: '/api/Posts', ...json({ userId: 1, title: 'Short', body: 'Text' }) },
  { method: 'PATCH', path: '/api/People/1', ...json({ firstName: 'Ada' }) },
  { method: 'PATCH', path: '/api/Employees/1', ...json({ title: 'Lead' }) },
  { method: 'PATCH', path: '/api/Photos/1', ...json({ title: 'New' }) },
  { method: 'GET', path: '/api/Books/1' },
  { method: 'GET', path: '/api/Products/1' },
  { method: 'GET', path: '/api/pagination/page' },
  { method: 'GET', path: '/api/pagination/offset?offset=10&limit=5' },
  { method: 'GET', path: '/api/pagination/cursor' },
  { method: 'GET', path: '/api/pagination/keyset' },
  { method: 'GET', path: '/api/pagination/hal' },
  { method: 'GET', path: '/api/pagination/link?per_page=0' },
  { method: 'GET', path: '/api/pagination/items/99' },
  { method: 'GET', path: '/api/auth/jwt/me' },
  { method: 'GET', path: '/api/auth/jwt/expired' },
  { method: 'GET', path: '/api/auth/basic' },
  { method: 'GET', path: '/api/auth/api-key/header' },
  {
    method: 'GET',
    path: '/api/auth/roles/admin',
    headers: { Authorization: 'Bearer demo-read-only-token' },
  },
  { method: 'POST', path: '/api/auth/oauth/token', body: 'grant_type=password' },
  { method: 'GET', path: '/api/versioned/profile?api-version=1' },
  { method: 'GET', path: '/api/v1/profile?api-version=2' },
  { method: 'GET', path: '/api/http/bytes/10' },
  { method: 'GET', path: '/api/http/bytes/10', headers: { Range: 'bytes=4-4' } },
  { method: 'GET', path: '/api/methods/get?a=1&b=2' },
  { method: 'HEAD', path: '/api/methods/get?a=1' },
  { method: 'GET', path: '/api/http/uploads' },
  { method: 'POST', path: '/graphql', ...json({ query: '{ users { name } }' }) },
  { method: 'POST', path: '/graphql', ...json({ query: 'mutation { toggleTodo(id: 0) { id } }' }) },
  { method: 'POST', path: '/api/jsonrpc', ...json({ jsonrpc: '2.0', method: 'x', params: 1 }) },
  { method: 'POST', path: '/api/webhooks/verify/github', ...json({ a: 1 }) },
  { method: 'POST', path: '/api/webhooks/samples/github', ...json({ a: 1 }) },
  { method: 'GET', path: '/nowhere' },
  { method: 'DELETE', path: '/api/Books' },
  { method: 'GET', path: '/api/sandbox/bugs' },
  { method: 'DELETE', path: '/api/sandbox' },
  { method: 'GET', path: '/health' },
];

/** Sends each request, and returns a report about it. */
export async function healthyReports(call: Call): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (const request of requests) {
    const { method, path, headers = {}, body } = request;
    const options = { headers, ...(body !== undefined && { body: textOf(body) }) };
    if (!path.startsWith('/api/sandbox')) await call(`${method} ${path}`, options);
    reports.push({ ...request, ...about });
  }
  return reports;
}

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));
