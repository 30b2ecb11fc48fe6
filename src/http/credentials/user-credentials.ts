/** User name and password of a request. */
export interface UserCredentials {
  readonly username: string;
  readonly password: string;
}
