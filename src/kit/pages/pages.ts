/** Pages: each is a folder of this name in `pages/`, bundled into `dist/pages/`. */

interface Page {
  /** Paths of the page; without them, areas and other routes send it. */
  readonly paths?: readonly string[];
  /** Additions to the strict Content-Security-Policy, or replacements. */
  readonly policy?: Policy;
}

type Policy = Readonly<Record<string, string>>;

export type PageName = keyof typeof pages;

/** Only files and URLs of this service, no inline code, no frames (Content Security Policy 3). */
const strictPolicy: Policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

/** Trusted Types, so that browsers never treat text from strangers as markup. */
const textStaysText: Policy = { 'require-trusted-types-for': "'script'" };

const pages = {
  account: { paths: ['/account'], policy: textStaysText },
  landing: { policy: textStaysText },
  start: { policy: textStaysText },
  docs: { paths: ['/docs'], policy: textStaysText },
  guides: { policy: textStaysText },
  // A capture is replayed to any URL that its reader enters.
  bins: { paths: ['/bins'], policy: { ...textStaysText, 'connect-src': 'http: https:' } },
  realtime: { paths: ['/realtime'], policy: textStaysText },
  explore: { paths: ['/explore'], policy: textStaysText },
  challenges: { paths: ['/challenges'], policy: textStaysText },
  class: { paths: ['/class'], policy: textStaysText },
  tls: { policy: textStaysText },
  http2: { policy: textStaysText },
  passkeys: { policy: textStaysText },
  oidc: { policy: textStaysText },
  mcp: { policy: textStaysText },
  llm: { policy: textStaysText },
  grpc: { policy: textStaysText },
  verdicts: { policy: textStaysText },
  my: { policy: textStaysText },
  list: { policy: textStaysText },
  error: { policy: textStaysText },
  // The editor creates style elements for measurements and menus.
  ide: { policy: { 'style-src': "'self' 'unsafe-inline'" } },
} satisfies Readonly<Record<string, Page>>;

export const pageNames = Object.keys(pages) as readonly PageName[];

export function pathsOf(name: PageName): readonly string[] {
  const { paths = [] }: Page = pages[name];
  return paths;
}

/**
 * Returns the page's Content-Security-Policy header: two policies, which a script must both satisfy. The second names the
 * folder of the pages' scripts, because other paths of this origin, such as JSONP, respond with what callers choose. It
 * has any host, because a proxy may hide the host that the browser sees.
 *
 * @param roots Paths that the browser may see as the root, without a slash at the end
 */
export function policyOf(name: PageName, roots: readonly string[]): string {
  const { policy }: Page = pages[name];
  const own = Object.entries({ ...strictPolicy, ...policy })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
  const folders = [...new Set(roots)].map((root) => `*:*${inPolicy(root)}/assets/`);
  return `${own}, script-src ${folders.join(' ')}`;
}

/** Encodes the delimiters of policies in a path (Content Security Policy 3, section 2.3.1). */
function inPolicy(path: string): string {
  return path.replaceAll(';', '%3B').replaceAll(',', '%2C');
}
