/** The deny list: headers that no caller may set on a response of this service, with the reasons. */

interface Denial {
  /** Completes the sentence "It …". */
  readonly reason: string;
  /** In lower case; `*` at the end stands for any characters. */
  readonly names: readonly string[];
}

const framing: Denial = {
  reason: 'frames the message or controls the connection (RFC 9110 section 7.6.1)',
  names: [
    ...['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'proxy-connection'],
    ...['te', 'upgrade', 'http2-settings'],
  ],
};

const ofProxies: Denial = {
  reason: 'steers servers and proxies',
  names: [
    ...['x-accel-*', 'x-sendfile*', 'x-lighttpd-*', 'x-reproxy-*', 'x-litespeed-*', 'x-envoy-*'],
    ...['x-forwarded-*', 'forwarded', 'surrogate-*', 'edge-*', 'fastly-*', 'cf-*', 'cloudflare-*'],
    ...['x-akamai-*', 'x-varnish*', 'x-cache-tags', 'cache-tag', 'xkey', 'server', 'set-cookie2'],
    ...['alt-svc', 'alt-used'],
    // Replays a request at another application.
    'fly-*',
    // Sends a stored object in place of the body.
    'x-appengine-*',
  ],
};

const ofBrowsers: Denial = {
  reason: 'steers browsers at other pages of this origin',
  names: [
    ...['access-control-*', 'content-security-policy*', 'x-content-security-policy*'],
    ...['x-webkit-csp*', 'x-permitted-cross-domain-policies', 'cross-origin-*'],
    ...['origin-agent-cluster', 'permissions-policy', 'strict-transport-security'],
    ...['public-key-pins*', 'x-frame-options', 'x-content-type-options', 'clear-site-data'],
    ...['service-worker-allowed', 'sourcemap', 'x-sourcemap', 'refresh', 'reporting-endpoints'],
    ...['report-to', 'nel', 'speculation-rules', 'accept-ch', 'critical-ch'],
    ...['timing-allow-origin', 'set-login', 'idp-signin-status', 'activate-storage-access'],
    // Stored for the origin, as Accept-CH and pins were.
    ...['accept-ch-lifetime', 'expect-ct', 'origin-trial', 'critical-origin-trial'],
    // Applies to the responses of other URLs.
    ...['use-as-dictionary', 'no-vary-search'],
    // Begins a session for which the browser sends requests.
    ...['secure-session-*', 'sec-session-*'],
  ],
};

const ofService: Denial = {
  reason: 'belongs to the service',
  names: ['x-request-id', 'x-fault', 'x-simulated'],
};

/** Denied in heads only: in trailers, clients must ignore them (RFC 9110 section 6.5.1). */
const denials: readonly Denial[] = [framing, ofProxies, ofBrowsers, ofService];
const denialsInTrailers = denials.filter((each) => each !== framing);

/** The deny list of a deployment, which may add names. */
export class DeniedHeaders {
  readonly #own: Denial;

  /** `names` are in the syntax of the setting `--denied-headers`. */
  constructor(names: readonly string[] = []) {
    const own = names.map((name) => name.toLowerCase());
    this.#own = { reason: 'is denied by the operator of this service', names: own };
  }

  /** Returns why a header cannot be set, or else `undefined`. */
  reasonFor(name: string, isTrailer = false): string | undefined {
    const lower = name.toLowerCase();
    const found = [...(isTrailer ? denialsInTrailers : denials), this.#own].find(({ names }) =>
      names.some((each) => matches(each, lower)),
    );
    return found?.reason;
  }
}

function matches(denied: string, name: string): boolean {
  return denied.endsWith('*') ? name.startsWith(denied.slice(0, -1)) : name === denied;
}
