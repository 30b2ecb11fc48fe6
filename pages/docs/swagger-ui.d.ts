/** Types for the parts of the viewer's bundle that this page uses; it has no types. */

declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Request {
    url: string;
    method?: string;
    headers?: Record<string, string>;
    credentials?: RequestCredentials;
  }

  interface LayoutActions {
    show(key: readonly string[], isShown: boolean): void;
    updateFilter(phrase: string): void;
    parseDeepLinkHash(hash: string): void;
  }

  interface AuthActions {
    authorizeOauth2(grant: { auth: Record<string, unknown>; token: Record<string, unknown> }): void;
  }

  interface System {
    readonly React: {
      createElement(
        component: unknown,
        properties: Record<string, unknown>,
        ...children: readonly unknown[]
      ): unknown;
    };
    readonly layoutActions: LayoutActions;
    readonly authActions: AuthActions;
  }

  interface Viewer {
    getSystem(): System;
    preauthorizeBasic(scheme: string, username: string, password: string): void;
    preauthorizeApiKey(scheme: string, key: string): void;
    initOAuth(settings: Record<string, string>): void;
  }

  /** The viewer's lists and maps (Immutable). */
  interface TaggedOperations {
    map(change: (section: Section) => Section): TaggedOperations;
    filter(isKept: (section: Section) => boolean): TaggedOperations;
  }
  interface Section {
    get(name: 'operations'): { readonly size: number };
    update(name: 'operations', change: (operations: ShownOperations) => ShownOperations): Section;
  }
  interface ShownOperations {
    filter(isKept: (operation: ShownOperation) => boolean): ShownOperations;
  }
  interface ShownOperation {
    get(name: 'path' | 'method'): string;
  }

  /** An authentication scheme in the dialog for credentials. */
  interface SchemeShown {
    readonly name: string;
    readonly schema: { get(name: 'description'): string };
    getComponent(name: string, isContainer: boolean): unknown;
  }

  interface Settings {
    [name: string]: unknown;
    domNode: HTMLElement;
    requestInterceptor(request: Request): Request | Promise<Request>;
    onComplete(): void;
  }

  interface SwaggerUI {
    (settings: Settings): Viewer;
    readonly presets: { readonly apis: unknown };
  }

  const SwaggerUI: SwaggerUI;
  export default SwaggerUI;
  export type { Request, SchemeShown, Section, ShownOperation, System, TaggedOperations, Viewer };
}
