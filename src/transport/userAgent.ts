/** What this package calls itself in a request; the version is that of package.json. */
export const USER_AGENT = 'rx-informer/0.1.0';
