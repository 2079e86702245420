import {
  type AttemptResult,
  type CallOptions,
  checkOptions,
  OperationContext,
  type OptionNames,
} from '@rowkey/rest'
import { checkMembers, checkNames, checkTypes } from '../errors/check-arguments.ts'
import { toRestError } from '../errors/rest-error.ts'

/** The options of every method. */
export interface OperationOptions {
  /** Ends the call, also between two attempts. */
  readonly abortSignal?: AbortSignal | undefined
  /** Options of each request. */
  readonly requestOptions?:
    | {
        /** Milliseconds for one attempt. */
        readonly timeout?: number | undefined
      }
    | undefined
}

/** The result of a write besides its ETag. */
export interface ResponseFacts {
  /** The service's id of the request. */
  requestId?: string
  /** The client's id of the request. */
  clientRequestId?: string
  /** When the response arrived, by this machine's clock. */
  date?: Date
}

const OPTION_NAMES: OptionNames<OperationOptions> = { abortSignal: true, requestOptions: true }

/**
 * Turns the options of a method into Rowkey's.
 *
 * @param options - the caller's options
 * @param own - the names of the method's own options
 * @param where - the method, for messages
 * @throws InputError (`UnknownOption`) for an option that has no counterpart, such as `onResponse`
 */
export function toCallOptions(
  options: OperationOptions,
  own: readonly string[],
  where: string,
): CallOptions & { readonly context: OperationContext } {
  checkOptions(options, [...Object.keys(OPTION_NAMES), ...own], where)
  const { abortSignal, requestOptions = {} } = options
  checkOptions(requestOptions, ['timeout'], `requestOptions of ${where}`)
  const { timeout } = requestOptions
  return {
    context: new OperationContext(),
    ...(abortSignal === undefined ? {} : { signal: abortSignal }),
    ...(timeout === undefined ? {} : { timeout }),
  }
}

/** The query options of any method that reads. */
interface QueryOptions {
  readonly filter?: string | undefined
  readonly select?: readonly string[] | undefined
}

/**
 * Returns the query options of a method that reads.
 *
 * @param options - the caller's options
 * @param names - the query options of the method
 * @param where - the method, for messages
 * @throws InputError for an unknown query option and for an invalid value
 */
export function queryOptionsOf(
  options: {
    readonly queryOptions?: QueryOptions | undefined
    readonly disableTypeConversion?: unknown
  },
  names: readonly (keyof QueryOptions)[],
  where: string,
): QueryOptions {
  checkTypes(options, ['disableTypeConversion'], 'boolean', where)
  const { queryOptions = {} } = options
  const place = `queryOptions of ${where}`
  checkMembers(queryOptions, names, place)
  checkTypes(queryOptions, ['filter'], 'string', place)
  checkNames(queryOptions.select, `select of ${place}`)
  return queryOptions
}

/** Runs a call, and throws the errors that callers of the official client know. */
export async function asOfficial<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    throw toRestError(error)
  }
}

/** Returns the headers of the last attempt's response. */
export function factsOf(attempt: AttemptResult | undefined): ResponseFacts {
  if (attempt === undefined) return {}
  const { requestId, clientRequestId, endedAt } = attempt
  return {
    clientRequestId,
    date: new Date(endedAt),
    ...(requestId === undefined ? {} : { requestId }),
  }
}
