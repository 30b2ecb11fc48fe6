/** THE list of pages: each is a folder of this name in `pages/`, bundled into `dist/pages/`. */

interface Page {
  /** Where the page is served; without them, areas and other routes send it. */
  readonly paths?: readonly string[];
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

/** The browser itself keeps text from becoming markup, such as what strangers send, or what an account is called. */
const textStaysText: Policy = { 'require-trusted-types-for': "'script'" };

const pages = {
  account: { paths: ['/account'], policy: textStaysText },
  landing: { policy: textStaysText },
  docs: { paths: ['/docs'] },
  guides: { policy: textStaysText },
  // A capture is replayed to whatever address its reader gives.
  bins: { paths: ['/bins'], policy: { ...textStaysText, 'connect-src': 'http: https:' } },
  realtime: { paths: ['/realtime'], policy: textStaysText },
  tls: { policy: textStaysText },
  passkeys: { policy: textStaysText },
  my: { policy: textStaysText },
  list: { policy: textStaysText },
  error: { policy: textStaysText },
  // The editor makes style elements for what it measures and for menus that hold the page still.
  ide: { policy: { 'style-src': "'self' 'unsafe-inline'" } },
} satisfies Readonly<Record<string, Page>>;

export const pageNames = Object.keys(pages) as readonly PageName[];

export function pathsOf(name: PageName): readonly string[] {
  const { paths = [] }: Page = pages[name];
  return paths;
}

/** The value of the page's Content-Security-Policy header. */
export function policyOf(name: PageName): string {
  const { policy }: Page = pages[name];
  return Object.entries({ ...strictPolicy, ...policy })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
