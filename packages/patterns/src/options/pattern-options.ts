import { type DeclaredOptions, declareOptions, type OptionRules } from '@rowkey/odata'
import { type CallOptions, callOptions, type TableService } from '@rowkey/rest'
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

/** Returns the options of other calls that a call waits for, such as those of a queue: its signal and its deadline end them, too. */
export function waitedOptions(service: TableService, options: CallOptions): CallOptions {
  const { signal, deadline } = service.withDeadline(options)
  return { ...(signal && { signal }), ...(deadline && { deadline }) }
}

const { idempotencyKey: _, ...rules } = callOptions.rules

/** The options of calls that write several times. */
export const manyWritesOptions: DeclaredOptions<ManyWritesOptions> =
  declareOptions<ManyWritesOptions>(rules)
