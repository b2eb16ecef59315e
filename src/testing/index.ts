export { type ApiServer, type ApiServerOptions, createApiServer } from './apiServer.ts';
export { type ClockOptions, createClock, type SteppedClock } from './clock.ts';
export type { Interceptor } from './interceptors.ts';
export type { ServedKind } from './kinds.ts';
export type { LoggedRequest } from './requestLog.ts';
