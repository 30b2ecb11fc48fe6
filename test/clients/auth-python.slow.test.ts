import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect } from 'vitest';
import { demoCredentials } from '../support/demo-credentials.js';
import { foreignProgram } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const service = useService();
let credentials: Awaited<ReturnType<typeof demoCredentials>>;
beforeAll(async () => {
  credentials = await demoCredentials(service);
});

const python = foreignProgram('requests');

/** Runs statements after `import requests`; `base` is /api/auth, `out` prints a value as JSON. */
async function runPython(statements: string) {
  const prelude = [
    'import json, requests',
    'from requests.auth import HTTPBasicAuth, HTTPDigestAuth',
    `base = ${JSON.stringify(`${service.url}/api/auth`)}`,
    `c = json.loads(${JSON.stringify(JSON.stringify(credentials))})`,
    'out = lambda value: print(json.dumps(value))',
  ];
  return JSON.parse(await python.run('-c', `${prelude.join('\n')}\n${statements}`));
}

describe('Python requests', () => {
  python.test('authenticates with Basic', async () => {
    const response = await runPython(
      'out(requests.get(base + "/basic", auth=HTTPBasicAuth(c["basic"]["username"], c["basic"]["password"])).json())',
    );
    expect(response).toMatchObject({ authenticated: true, scheme: 'basic' });
  });

  python.test('responds to Digest challenges, repeatedly in one session', async () => {
    const responses = await runPython(`
auth = HTTPDigestAuth(c["digest"]["username"], c["digest"]["password"])
s = requests.Session()
r = [s.get(base + "/digest", auth=auth) for _ in range(3)]
r += [requests.get(base + "/digest" + q, auth=HTTPDigestAuth(c["digest"]["username"], c["digest"]["password"]))
      for q in ("?algorithm=SHA-256", "?algorithm=MD5-sess", "?qop=none", "?qop=auth,auth-int")]
out([[x.status_code, len(x.history), x.json().get("algorithm"), x.json().get("qop")] for x in r])`);
    expect(responses).toEqual([
      [200, 1, 'MD5', 'auth'],
      // The second and third are sent on the same nonce, without a rejection in between.
      [200, 0, 'MD5', 'auth'],
      [200, 0, 'MD5', 'auth'],
      [200, 1, 'SHA-256', 'auth'],
      [200, 1, 'MD5-sess', 'auth'],
      [200, 1, 'MD5', 'none'],
      [200, 1, 'MD5', 'auth'],
    ]);
  });

  python.test('gives up on a wrong Digest password after one more attempt', async () => {
    const response = await runPython(
      'out(requests.get(base + "/digest", auth=HTTPDigestAuth("demo", "x")).status_code)',
    );
    expect(response).toBe(401);
  });

  python.test('keeps a session through login, refresh and logout', async () => {
    const response = await runPython(`
u = c["jwt"][0]
t = requests.post(base + "/jwt/login", json={"username": u["username"], "password": u["password"]}).json()
t = requests.post(base + "/jwt/refresh", json={"refreshToken": t["refreshToken"]}).json()
h = {"Authorization": "Bearer " + t["accessToken"]}
me = requests.get(base + "/jwt/me", headers=h)
gone = requests.post(base + "/jwt/logout", json={"refreshToken": t["refreshToken"]})
again = requests.post(base + "/jwt/refresh", json={"refreshToken": t["refreshToken"]})
out([me.json()["role"], gone.status_code, again.status_code])`);
    expect(response).toEqual(['admin', 204, 401]);
  });

  python.test('gets a token by client credentials and sends forms and cookies', async () => {
    const response = await runPython(`
t = requests.post(base + "/oauth/token", data={"grant_type": "client_credentials"},
                  auth=(c["oauth"]["clientId"], c["oauth"]["clientSecret"])).json()
p = requests.get(base + "/oauth/protected", headers={"Authorization": "Bearer " + t["access_token"]})
s = requests.Session()
csrf = s.get(base + "/csrf/token").json()["csrfToken"]
f = s.post(base + "/csrf/submit", headers={"X-CSRF-Token": csrf})
k = requests.get(base + "/api-key/cookie", cookies={"api_key": c["apiKey"]})
out([p.status_code, f.status_code, k.status_code])`);
    expect(response).toEqual([200, 200, 200]);
  });
});

const httpie = foreignProgram('httpie');

/** Runs httpie on a path of /api/auth and returns the JSON body, whatever the status. */
async function http(...args: string[]) {
  const stdout = await httpie.run('--ignore-stdin', '--body', '--pretty=none', ...args);
  return JSON.parse(stdout);
}

describe('httpie', () => {
  httpie.test('authenticates with Basic, Digest and bearer tokens', async () => {
    const base = `${service.url}/api/auth`;
    const { basic, digest, bearer } = credentials;
    expect(
      await http(
        '-A',
        'basic',
        '-a',
        `${basic.username}:${basic.password}`,
        'GET',
        `${base}/basic`,
      ),
    ).toMatchObject({ scheme: 'basic' });
    expect(
      await http(
        '-A',
        'digest',
        '-a',
        `${digest.username}:${digest.password}`,
        'GET',
        `${base}/digest`,
      ),
    ).toMatchObject({ scheme: 'digest', algorithm: 'MD5', qop: 'auth' });
    expect(
      await http('-A', 'bearer', '-a', bearer.admin, 'DELETE', `${base}/roles/resource`),
    ).toMatchObject({
      authorized: true,
    });
    expect(await http('-A', 'bearer', '-a', 'x', 'GET', `${base}/bearer`)).toMatchObject({
      status: 401,
    });
  });

  httpie.test('logs in with JSON and signs a body', async () => {
    const base = `${service.url}/api/auth`;
    const [admin = { username: '', password: '' }] = credentials.jwt;
    const login = await http(
      ...['POST', `${base}/jwt/login`],
      ...[`username=${admin.username}`, `password=${admin.password}`],
    );
    expect(
      await http('-A', 'bearer', '-a', login.accessToken, 'GET', `${base}/jwt/admin`),
    ).toMatchObject({
      username: admin.username,
    });
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', credentials.hmac.secret)
      .update(`${timestamp}.hello`)
      .digest('hex');
    const signed = await http(
      ...['--raw', 'hello', 'POST', `${base}/hmac`],
      ...[`X-Timestamp:${timestamp}`, `X-Signature:sha256=${signature}`],
    );
    expect(signed).toMatchObject({ authenticated: true, bodyLength: 5 });
  });
});
