/** THE list of pages: each is a folder of this name in `pages/`, bundled into `dist/pages/`. */

interface Page {
  /** Where the page is served; none when an area serves it at an address of its own. */
  readonly paths: readonly string[];
  /** What its Content-Security-Policy has beyond, or instead of, the strict one. */
  readonly policy?: Policy;
}

type Policy = Readonly<Record<string, string>>;

export type PageName = keyof typeof pages;

/** Only files and addresses of this service, nothing inline, in no frame (Content Security Policy 3). */
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

const pages = {
  account: {
    paths: ['/account'],
    policy: {
      // The key is on this page: nothing that an account is called may become markup.
      'require-trusted-types-for': "'script'",
    },
  },
  landing: {
    // GET / serves it to browsers.
    paths: [],
    policy: { 'require-trusted-types-for': "'script'" },
  },
  docs: {
    paths: ['/docs'],
  },
  guides: {
    // GET /guides and the addresses below it serve it.
    paths: [],
    policy: { 'require-trusted-types-for': "'script'" },
  },
  bins: {
    paths: ['/bins'],
    policy: {
      // What strangers send is shown here: the browser itself keeps text from becoming markup.
      'require-trusted-types-for': "'script'",
      // A capture is replayed to whatever address its reader gives.
      'connect-src': 'http: https:',
    },
  },
  realtime: {
    paths: ['/realtime'],
    policy: {
      // What strangers send in rooms is shown here.
      'require-trusted-types-for': "'script'",
    },
  },
  tls: {
    // GET /tls serves it to browsers.
    paths: [],
    policy: { 'require-trusted-types-for': "'script'" },
  },
  passkeys: {
    // GET /api/auth/passkeys serves it to browsers.
    paths: [],
    policy: { 'require-trusted-types-for': "'script'" },
  },
  my: {
    // GET /my serves it to browsers.
    paths: [],
    policy: {
      // What callers put is shown here.
      'require-trusted-types-for': "'script'",
    },
  },
  list: {
    // Addresses that list what is below them serve it to browsers.
    paths: [],
    policy: { 'require-trusted-types-for': "'script'" },
  },
  error: {
    // What is not there gets it.
    paths: [],
    policy: { 'require-trusted-types-for': "'script'" },
  },
  ide: {
    // GET /graphql serves it to browsers.
    paths: [],
    policy: {
      // The editor makes style elements for what it measures and for menus that hold the page still.
      'style-src': "'self' 'unsafe-inline'",
    },
  },
} satisfies Readonly<Record<string, Page>>;

export const pageNames = Object.keys(pages) as readonly PageName[];

export function pathsOf(name: PageName): readonly string[] {
  return pages[name].paths;
}

/** The value of the page's Content-Security-Policy header. */
export function policyOf(name: PageName): string {
  const { policy }: Page = pages[name];
  return Object.entries({ ...strictPolicy, ...policy })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
