import { type DeclaredOptions, declareOptions, type OptionRules } from '@rowkey/odata'
import { type CallOptions, callOptions } from '@rowkey/rest'
import { invalidPatternOption } from '../errors/codes.ts'

/**
 * The options of a call that writes several times: those of every call, without `idempotencyKey`. One key for all writes would
 * let all but the first seem applied.
 *
 * @example
 * ```ts
 * const options: ManyWritesOptions = { signal: AbortSignal.timeout(60_000) }
 * await summaries.on(account).build(options)
 * ```
 */
export type ManyWritesOptions = Omit<CallOptions, 'idempotencyKey'>

/**
 * Declares the options of a pattern.
 *
 * @param rules - the rule of each option
 * @returns declared options, whose check throws an InputError (`InvalidPatternOption`) for an invalid value
 */
export function declarePattern<Options>(rules: OptionRules<Options>): DeclaredOptions<Options> {
  return declareOptions(rules, invalidPatternOption)
}

/** The options of a call that concern one write, or where it reads. */
const OF_ONE_WRITE: ReadonlySet<string> = new Set(['exactWrites', 'idempotencyKey', 'locationMode'])
const OF_EACH_REQUEST = callOptions.names.filter((name) => !OF_ONE_WRITE.has(name))

/** Returns those of the options of a call that all of its requests have, also those to a queue or a store that it waits for. */
export function optionsOfEachRequest(options: CallOptions): CallOptions {
  const given = OF_EACH_REQUEST.filter((name) => options[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, options[name]]))
}

/** Returns the options of a read whose ETag a write needs: a copy in a second region lags behind. */
export function atPrimary(options: CallOptions): CallOptions {
  return { ...options, locationMode: 'primaryOnly' }
}

const { idempotencyKey: _, ...rules } = callOptions.rules

/** The options of calls that write several times. */
export const manyWritesOptions: DeclaredOptions<ManyWritesOptions> =
  declareOptions<ManyWritesOptions>(rules)
