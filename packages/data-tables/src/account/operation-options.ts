import {
  aFunction,
  anything,
  checkValue,
  declareOptions,
  rule,
  trueOrFalse,
  withMethods,
} from '@rowkey/odata'
import type { AttemptLimits } from '@rowkey/rest'
import { aText, checkMembers, checkRecord, invalidArgument } from '../errors/check-arguments.ts'
import type {
  AbortSignalLike,
  Foreign,
  OperationTracingOptions,
  RawResponseCallback,
  TransferProgressEvent,
} from '../pipeline/interfaces.ts'

/** The options of the requests of a call. */
export interface OperationRequestOptions {
  /** Headers to add, or to send in place of others. */
  customHeaders?: { [name: string]: string }
  /** Milliseconds for one attempt; 30,000 when absent or 0. */
  timeout?: number
  /** Has no effect. */
  onUploadProgress?: (progress: TransferProgressEvent) => void
  /** Has no effect. */
  onDownloadProgress?: (progress: TransferProgressEvent) => void
  /** Has no effect. */
  shouldDeserialize?: boolean | ((response: Foreign) => boolean)
  /** Has no effect: the option of the client decides. */
  allowInsecureConnection?: boolean
}

/** The options of every method. */
export interface OperationOptions {
  /** Ends the call, also between two attempts. */
  abortSignal?: AbortSignalLike
  /** Options of each request. */
  requestOptions?: OperationRequestOptions
  /** Is passed on to policies and HTTP clients. */
  tracingOptions?: OperationTracingOptions
  /** Has no effect. */
  serializerOptions?: Foreign
  /** Receives the response of the call, its result, and its error if it failed. */
  onResponse?: RawResponseCallback
}

/** The options of {@link TableServiceClient.setProperties}. */
export interface SetPropertiesOptions extends OperationOptions {
  /** The client's id of the request, for the logs of the service; a new one when absent. */
  requestId?: string
  /** Has no effect. */
  timeout?: number
}

const aSignal = withMethods('an AbortSignal', 'addEventListener')

/**
 * Returns the limits of each attempt of a call, and checks the options that act when the response is there.
 *
 * @throws InputError (`InvalidOptionValue`) for an invalid option, and for options that are not objects
 */
export function limitsOf(options: OperationOptions, where: string): AttemptLimits {
  checkRecord(options, `The options of ${where}`)
  const { abortSignal, onResponse } = options
  if (abortSignal != null) checkValue(abortSignal, aSignal, 'abortSignal', where)
  if (onResponse != null) checkValue(onResponse, aFunction, 'onResponse', where)
  const requestOptions = options.requestOptions ?? {}
  checkRecord(requestOptions, `requestOptions of ${where}`)
  const { timeout = 0 } = requestOptions
  return {
    ...(abortSignal == null ? {} : { signal: toSignal(abortSignal) }),
    ...(timeout === 0 ? {} : { timeout }),
  }
}

/** The signals that stand for those of older libraries, which get one listener each, however many calls they end. */
const signalOf = new WeakMap<AbortSignalLike, AbortSignal>()

/** The signals of older libraries have no reason, and not the options of their listeners. */
function toSignal(signal: AbortSignalLike): AbortSignal {
  if (signal instanceof AbortSignal) return signal
  const known = signalOf.get(signal)
  if (known !== undefined) return known
  const controller = new AbortController()
  if (signal.aborted) controller.abort()
  else signal.addEventListener('abort', () => controller.abort())
  signalOf.set(signal, controller.signal)
  return controller.signal
}

/** The query options of any method that reads. */
interface QueryOptions {
  readonly filter?: string
  readonly select?: string[]
  readonly top?: number
}

const queryMembers = declareOptions<QueryOptions>({
  filter: aText,
  select: rule(
    'an array of strings',
    (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  ),
  top: anything,
})

/**
 * Returns the query options of a method that reads.
 *
 * @param options - the caller's options
 * @param where - the method, for messages
 * @throws InputError for an unknown query option, and for one beside `queryOptions`: a query could read too much; and for
 * an invalid value
 */
export function queryOptionsOf(
  options: { readonly queryOptions?: QueryOptions; readonly disableTypeConversion?: unknown },
  where: string,
): QueryOptions {
  checkRecord(options, `The options of ${where}`)
  // Programs in JavaScript say null for none.
  const disableTypeConversion = options.disableTypeConversion ?? false
  const given = options.queryOptions ?? {}
  const beside = queryMembers.names.find((name) => name in options)
  if (beside !== undefined) {
    throw invalidArgument(`${where} has no option '${beside}'. Use queryOptions: { ${beside} }.`)
  }
  checkValue(disableTypeConversion, trueOrFalse, 'disableTypeConversion', where)
  checkRecord(given, `queryOptions of ${where}`)
  const queryOptions = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null),
  )
  checkMembers(queryOptions, queryMembers, `queryOptions of ${where}`)
  return queryOptions
}
