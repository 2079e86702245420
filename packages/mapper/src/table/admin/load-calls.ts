import { type CallOptions, checkOptions, partNotLoaded, type TableService } from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../call-options.ts'

type AdminCalls = typeof import('./admin-calls.ts')

/** Chooses one of the calls that create, list and drop tables. */
export type Choice<Options, Result> = (
  calls: AdminCalls,
) => (service: TableService, table: string, options: Options) => Promise<Result>

/**
 * Loads the calls that create, list and drop tables, and makes one. It is pending from the beginning, so that closing the
 * account with `drain` waits for it.
 *
 * @param service - the account
 * @param table - the table's name
 * @param options - the options of the call
 * @param choose - chooses the call
 */
export function adminCall<Options extends object, Result>(
  service: TableService,
  table: string,
  options: Options,
  choose: Choice<Options, Result>,
): Promise<Result> {
  return service.pendingCalls.runSeries(options, async (call) =>
    choose(await import('./admin-calls.ts').catch(partNotLoaded))(service, table, call),
  )
}

/** Makes one of the calls that send or read XML. */
export type XmlCall<Result> = (
  calls: typeof import('./xml-calls.ts'),
  options: CallOptions,
) => Promise<Result>

/**
 * Checks the options of a call that sends or reads XML, loads these calls, and makes one, as {@link adminCall} does.
 *
 * @param service - the account
 * @param options - the options of the call
 * @param where - the call, for messages
 * @param make - makes the call
 */
export function xmlCall<Result>(
  service: TableService,
  options: CallOptions,
  where: string,
  make: XmlCall<Result>,
): Promise<Result> {
  checkOptions(options, CALL_OPTION_NAMES, where)
  return service.pendingCalls.runSeries(options, async (call) =>
    make(await import('./xml-calls.ts').catch(partNotLoaded), call),
  )
}

/**
 * Copies arrays and plain objects at every depth, since the caller may change them while the code of a call is loaded.
 * Any other value, such as a Date, stays as it is.
 */
export function copied<Value>(value: Value): Value {
  const copy = copyOf(value)
  return copy as Value // has the same members
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (typeof value !== 'object' || value === null) return value
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]))
}
