import type { HttpMethod } from '@rowkey/rest'
import type { OperationName } from '../request-log/operation-name.ts'
import type { RequestFacts } from '../request-log/request-facts.ts'
import type { InjectedFault } from './injected-fault.ts'

/**
 * A fault and the requests it is injected into. The rule counts a request when its operation,
 * table, method and location match; `nth`, `every`, `times` and `probability` then choose among the
 * counted requests. A rule without conditions chooses every request.
 */
export interface FaultRule {
  /** The fault to inject. */
  readonly fault: InjectedFault
  /** Only this operation, or these operations. */
  readonly operation?: OperationName | readonly OperationName[] | undefined
  /**
   * Only this table; upper and lower case are the same. A batch counts for the table of its
   * operations.
   */
  readonly table?: string | undefined
  /** Only this verb, as it was sent. */
  readonly method?: HttpMethod | undefined
  /** Only requests to this location of the account. */
  readonly location?: 'primary' | 'secondary' | undefined
  /** Only requests for which the function returns true. */
  readonly when?: ((request: RequestFacts) => boolean) | undefined
  /** Only the nth counted request, starting with 1. */
  readonly nth?: number | undefined
  /** Only every nth counted request: 3 is the third, the sixth, the ninth and so on. */
  readonly every?: number | undefined
  /** At most so many requests: the first that are chosen. */
  readonly times?: number | undefined
  /** A share of the counted requests, from 0 to 1, by the service's `random`. */
  readonly probability?: number | undefined
}

/** An active rule and its counters. */
export interface AddedFault {
  /** The rule as it was added. */
  readonly rule: FaultRule
  /** How many requests the rule counted. */
  readonly counted: number
  /** How many requests received the fault. */
  readonly fired: number
  /** Removes the rule. */
  remove(): void
}

/**
 * Injects faults into requests to an embedded service, so that a test can see how a program handles
 * them.
 */
export interface Faults {
  /**
   * Adds a rule. When several rules choose a request, the one that was added first applies.
   *
   * @param rule - the fault and the requests it is for
   * @throws InputError for an unknown option or an invalid value
   *
   * @example
   * ```ts
   * const lost = local.faults.add({ operation: 'insertEntity', nth: 1, fault: { kind: 'lost response' } })
   * await people.insert(jeff)
   * console.log(lost.fired) // 1
   * ```
   */
  add(rule: FaultRule): AddedFault
  /** Returns the active rules in the order in which they were added. */
  list(): readonly AddedFault[]
  /** Removes all rules. */
  clear(): void
}
