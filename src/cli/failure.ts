import type { InformerError, RequestError } from '../errors.ts';
import type { InformerStatus } from '../status.ts';
import { plain } from './view/text.ts';

/** When it is said that a server has not answered at all yet. Unit: milliseconds. */
export const PATIENCE = 15_000;

/** Failures that pass by themselves, even before the first list. */
const PASSING: ReadonlySet<string> = new Set(['CUT', 'ECONNRESET', 'EPIPE']);

/** Before the first list: whether somebody has to mend something first, so that waiting is no help. */
export function isHopeless(status: InformerStatus): boolean {
  // What is tried again at once is a step on the way.
  if (status.type !== 'error' || status.delay === 0) return false;
  const { error } = status;
  switch (error.code) {
    case 'API_STATUS':
      return statusOf(error) !== 429 && statusOf(error) < 500;
    case 'CONNECTION':
      return !PASSING.has(reasonOf(error));
    case 'CREDENTIALS':
    case 'STALLED':
    case 'UNKNOWN_KIND':
    case 'UNEXPECTED_ANSWER':
      return true;
    default:
      return error.terminal;
  }
}

/** Whether the server does not know the group or version of the kind. */
export const isUnknownApiVersion = (error: InformerError): boolean =>
  error.code === 'API_STATUS' && statusOf(error) === 404 && (error as RequestError).verb === 'get';

/** A failure as one sentence with the way out. `where`: the server and the context, for people; where there is one. */
export function sentenceOf(error: InformerError, where = ''): string {
  switch (error.code) {
    case 'CONNECTION':
      return connectionSentence(reasonOf(error), where);
    case 'STALLED':
      return `No answer from ${where}: check the network, the VPN, and the address in the kubeconfig.`;
    case 'API_STATUS':
      return statusSentence(error, where);
    case 'INVALID_OPTION':
      return plain(error.message).replace(/^\w+(?=:)/, (option) => FLAGS[option] ?? option);
    default:
      return where === '' ? plain(error.message) : `At ${where}: ${withoutRequest(error)}`;
  }
}

/** The options of the library by what they are called here. */
const FLAGS: Readonly<Record<string, string>> = {
  labelSelector: '--selector',
  fieldSelector: '--field-selector',
  namespace: '--namespace',
  kind: '--kind',
  apiVersion: '--kind',
};

function connectionSentence(reason: string, where: string): string {
  switch (reason) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${where} (${reason}): is the cluster running, and is this the right context?`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `Nobody knows the host of ${where} (${reason}): check the network, the VPN, and the address in the kubeconfig.`;
    default:
      return isAboutTls(reason)
        ? `No TLS with ${where} (${reason}): check the certificate authority in the kubeconfig.`
        : `No connection to ${where} (${reason}): check the network and the address in the kubeconfig.`;
  }
}

const isAboutTls = (reason: string): boolean => /CERT|TLS|SSL|SIGNATURE|EPROTO/.test(reason);

function statusSentence(error: InformerError, where: string): string {
  switch (statusOf(error)) {
    case 401:
      return `The credentials are not accepted by ${where} (401): log in again, or check the user in the kubeconfig.`;
    case 403:
      return `Not allowed at ${where}: ${withoutRequest(error)}; or read a namespace that you may, with --namespace.`;
    case 404:
      return `Not found at ${where}: ${withoutRequest(error)}.`;
    default:
      return `At ${where}: ${withoutRequest(error)}`;
  }
}

/** Messages of requests begin with verb and path. */
const withoutRequest = ({ message }: InformerError): string => plain(message.replace(/^\w+ \/\S*: /, ''));

const reasonOf = (error: InformerError): string =>
  'reason' in error && typeof error.reason === 'string' ? error.reason : '';

const statusOf = (error: InformerError): number =>
  'status' in error && typeof error.status === 'number' ? error.status : 0;
