import { describe, expect, test } from 'vitest';
import { DeniedHeaders } from './denied-headers.js';

const denied = new DeniedHeaders();

/** Each with the reason that the response has. */
const reasons: readonly (readonly [reason: string, names: readonly string[]])[] = [
  [
    'frames the message',
    [
      ...['Content-Length', 'Transfer-Encoding', 'Connection', 'Keep-Alive', 'Proxy-Connection'],
      ...['TE', 'Upgrade', 'HTTP2-Settings'],
    ],
  ],
  [
    'steers servers and proxies',
    [
      ...['X-Accel-Redirect', 'X-Accel-Expires', 'X-Accel-Limit-Rate', 'X-Accel-Buffering'],
      ...['X-Accel-Charset', 'X-Accel-', 'X-Sendfile', 'X-Sendfile2', 'X-SendFile-Type'],
      ...['X-LIGHTTPD-send-file', 'X-LIGHTTPD-KBytes-per-second', 'X-Reproxy-URL'],
      ...['X-LiteSpeed-Location', 'X-LiteSpeed-Tag', 'X-Envoy-Immediate-Health-Check-Fail'],
      ...['X-Forwarded-For', 'Forwarded', 'Surrogate-Control', 'Surrogate-Key', 'Edge-Control'],
      ...['Edge-Cache-Tag', 'Fastly-Restarts', 'CF-Cache-Status', 'Cloudflare-CDN-Cache-Control'],
      ...['X-Akamai-Transformed', 'X-Varnish', 'X-Varnish-TTL', 'X-Cache-Tags', 'Cache-Tag'],
      ...['xkey', 'Server', 'Set-Cookie2', 'Alt-Svc', 'Alt-Used', 'fly-replay', 'Fly-Replay-Cache'],
      ...['X-AppEngine-BlobKey'],
    ],
  ],
  [
    'steers browsers at other pages of this origin',
    [
      ...['Access-Control-Allow-Origin', 'Access-Control-Max-Age', 'Content-Security-Policy'],
      ...['Content-Security-Policy-Report-Only', 'X-Content-Security-Policy', 'X-WebKit-CSP'],
      ...['X-WebKit-CSP-Report-Only', 'X-Permitted-Cross-Domain-Policies'],
      ...['Cross-Origin-Opener-Policy', 'Cross-Origin-Resource-Policy', 'Origin-Agent-Cluster'],
      ...['Permissions-Policy', 'Strict-Transport-Security', 'Public-Key-Pins'],
      ...['Public-Key-Pins-Report-Only', 'X-Frame-Options', 'X-Content-Type-Options'],
      ...['Clear-Site-Data', 'Service-Worker-Allowed', 'SourceMap', 'X-SourceMap', 'Refresh'],
      ...['Reporting-Endpoints', 'Report-To', 'NEL', 'Speculation-Rules', 'Accept-CH'],
      ...['Accept-CH-Lifetime', 'Critical-CH', 'Timing-Allow-Origin', 'Set-Login'],
      'IdP-SignIn-Status',
      ...['Activate-Storage-Access', 'Expect-CT', 'Origin-Trial', 'Critical-Origin-Trial'],
      ...['Use-As-Dictionary', 'No-Vary-Search', 'Secure-Session-Registration'],
      ...['Sec-Session-Registration', 'Secure-Session-Challenge'],
    ],
  ],
  ['belongs to the service', ['X-Request-Id', 'X-Fault', 'X-Simulated']],
];

const cases = reasons.flatMap(([reason, names]) => names.map((name) => [name, reason] as const));

test.each(cases)('%s is denied in any letter case: it %s', (name, reason) => {
  for (const spelled of [name, name.toLowerCase(), name.toUpperCase()]) {
    expect(denied.reasonFor(spelled)).toContain(reason);
  }
});

test.each([
  ...['Date', 'Age', 'Expires', 'Pragma', 'CDN-Cache-Control', 'Via', 'Warning', 'Deprecation'],
  ...['RateLimit', 'X-RateLimit-Limit', 'Cache-Status', 'Server-Timing', 'Signature', 'X_Foo'],
  ...['X.Foo', 'Content', 'X-', 'X-Accel', 'X-Forwarder', 'Edge', 'Fly', 'Servers', 'Accept'],
  ...['Sunset', 'Proxy-Authenticate', 'Proxy-Authorization', 'X-XSS-Protection', 'constructor'],
  ...['__proto__', 'toString', '*', "!#$%&'*+-.^_`|~", 'X_Accel_Redirect', '-X-Accel-Redirect'],
])('%s is not denied', (name) => {
  expect(denied.reasonFor(name)).toBeUndefined();
});

describe('names of the operator', () => {
  const own = new DeniedHeaders(['X-Internal-*', 'X-Route', 'x-a*']);

  test.each(['x-internal-', 'X-Internal-Path', 'X-ROUTE', 'X-A', 'X-Abc'])('%s', (name) => {
    expect(own.reasonFor(name)).toBe('is denied by the operator of this service');
    expect(own.reasonFor(name, true)).toBe('is denied by the operator of this service');
  });

  test.each(['X-Internal', 'X-Route-To', 'Internal-Path'])('not %s', (name) => {
    expect(own.reasonFor(name)).toBeUndefined();
  });
});

test('in trailers, only headers that frame the message are accepted', () => {
  for (const [name, reason] of cases) {
    const isDenied = reason !== 'frames the message';
    expect(denied.reasonFor(name, true) !== undefined, name).toBe(isDenied);
  }
});
