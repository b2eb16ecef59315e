import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendPage, sendStatus } from './answer.ts';
import { discovery } from './discovery.ts';
import type { ControlPlane, Handler } from './handlers/context.ts';
import { create } from './handlers/create.ts';
import { deleteCollection, deleteOne } from './handlers/delete.ts';
import { get } from './handlers/get.ts';
import { list } from './handlers/list.ts';
import { patch } from './handlers/patch.ts';
import { update } from './handlers/update.ts';
import { watch } from './handlers/watch.ts';
import type { Interceptors } from './interceptors.ts';
import { PageNotFoundError, targetOf } from './paths.ts';
import { readBody } from './readBody.ts';
import type { LoggedRequest, RequestLog } from './requestLog.ts';
import { internalError, StatusError, unauthorized } from './status.ts';
import { type ApiVerb, verbOf } from './verbs.ts';

const handlers: Readonly<Record<ApiVerb, Handler>> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: deleteOne,
  deletecollection: deleteCollection,
};

export interface Access {
  /** `undefined`: everyone may. */
  readonly token: string | undefined;
}

/** From a request of HTTP to its answer: log, interceptors, authentication, and the handler of its verb. */
export class RequestHandler {
  readonly #plane: ControlPlane;
  readonly #log: RequestLog;
  readonly #interceptors: Interceptors;
  readonly #access: Access;

  constructor(plane: ControlPlane, log: RequestLog, interceptors: Interceptors, access: Access) {
    this.#plane = plane;
    this.#log = log;
    this.#interceptors = interceptors;
    this.#access = access;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const fail = (error: unknown): void => {
      showFault(error);
      if (!response.writableEnded) answerError(response, error);
    };
    try {
      const logged = this.#logged(request, response, addressOf(request));
      this.#log.add(logged);
      this.#interceptors.run(request, response, logged, () => void this.#answer(request, response), fail);
    } catch (error) {
      fail(error);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // An interceptor may have made it another request.
    const address = addressOf(request);
    try {
      this.#authenticate(request);
      const body = await readBody(request);
      if (!this.#answerDiscovery(request, response, address))
        await this.#dispatch(request, response, address, body);
    } catch (error) {
      if (!isAnswer(error)) showFault(error);
      answerError(response, error);
    }
  }

  #authenticate(request: IncomingMessage): void {
    const { token } = this.#access;
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) throw unauthorized();
  }

  #answerDiscovery(request: IncomingMessage, response: ServerResponse, address: Address): boolean {
    if (request.method !== 'GET') return false;
    const accept = request.headers.accept ?? '';
    const found = discovery(address.path, address.query, accept, this.#plane.kinds.all);
    if (found === undefined) return false;
    response.setHeader('Content-Type', found.contentType);
    response.end(found.body);
    return true;
  }

  #dispatch(
    request: IncomingMessage,
    response: ServerResponse,
    address: Address,
    body: Buffer,
  ): void | Promise<void> {
    const target = targetOf(address.path, this.#plane.kinds);
    const verb = verbOf(request.method ?? '', target, address.query);
    const exchange = { request, response, target, verb, query: address.query, body };
    return handlers[verb](this.#plane, exchange);
  }

  #logged(request: IncomingMessage, response: ServerResponse, address: Address): LoggedRequest {
    const method = request.method ?? '';
    return {
      verb: this.#verb(method, address),
      method,
      path: address.path,
      query: Object.fromEntries(address.query),
      time: this.#plane.scheduler.now(),
      get status() {
        return response.headersSent ? response.statusCode : undefined;
      },
    };
  }

  #verb(method: string, address: Address): string {
    try {
      return verbOf(method, targetOf(address.path, this.#plane.kinds), address.query);
    } catch {
      return method.toLowerCase();
    }
  }
}

interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

function addressOf({ url = '/' }: IncomingMessage): Address {
  const [path = '', ...query] = url.split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
}

const isAnswer = (error: unknown): boolean =>
  error instanceof PageNotFoundError || error instanceof StatusError;

/** What an interceptor or listener threw, or this server itself: whoever made the request only sees a 500. */
function showFault(error: unknown): void {
  // As text: in a test runner's own world its errors are none to `emitWarning`.
  const { name = 'Error', message = String(error), stack } = (error ?? {}) as Partial<Error>;
  process.emitWarning(message, { type: name, ...(stack !== undefined && { detail: stack }) });
}

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
  } else if (error instanceof PageNotFoundError) {
    sendPage(response, 404, '404 page not found\n');
  } else if (error instanceof StatusError) {
    sendStatus(response, error.body);
  } else {
    sendStatus(response, internalError(error instanceof Error ? error.message : String(error)).body);
  }
}
