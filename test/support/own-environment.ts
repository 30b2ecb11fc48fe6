/** Variables of vitest and npm that programs would read, if tests started them with these. */

// A setting of the service.
delete process.env.BASE_URL;
// By it, the service ends with its parent.
delete process.env.npm_lifecycle_event;
