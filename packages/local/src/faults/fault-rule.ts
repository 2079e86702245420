import type { HttpMethod } from '@rowkey/rest'
import type { OperationName } from '../request-log/operation-name.ts'
import type { RequestFacts } from '../request-log/request-facts.ts'
import type { InjectedFault } from './injected-fault.ts'

/**
 * Which requests a fault befalls. A request is counted by a rule when it is of the operation, the
 * table, the method and the location that the rule names; of those that are counted, `nth`, `every`,
 * `times` and `probability` choose. A rule that names nothing befalls every request.
 */
export interface FaultRule {
  /** What befalls them. */
  readonly fault: InjectedFault
  /** Only this operation, or these. */
  readonly operation?: OperationName | readonly OperationName[] | undefined
  /** Only this table, in any case of its letters; of batches, the table of their operations. */
  readonly table?: string | undefined
  /** Only this verb, as it was sent. */
  readonly method?: HttpMethod | undefined
  /** Only requests to this location of the account. */
  readonly location?: 'primary' | 'secondary' | undefined
  /** Only requests of which this is true. */
  readonly when?: ((request: RequestFacts) => boolean) | undefined
  /** Only the nth of the counted, from 1. */
  readonly nth?: number | undefined
  /** Only each so many-th of the counted: 3 is the third, the sixth, the ninth. */
  readonly every?: number | undefined
  /** Only so many of the counted, the first that are chosen. */
  readonly times?: number | undefined
  /** Only this share of the counted, from 0 to 1, by the service's `random`. */
  readonly probability?: number | undefined
}

/** A rule in force, and what has come of it. */
export interface AddedFault {
  /** The rule as it was given. */
  readonly rule: FaultRule
  /** How many requests it has counted. */
  readonly counted: number
  /** How many requests the fault has befallen. */
  readonly fired: number
  /** Ends it. */
  remove(): void
}

/** The faults of an embedded service, to see what a program does then. */
export interface Faults {
  /**
   * Adds a rule. Where several rules choose a request, the one that was added first befalls it.
   *
   * @param rule - which requests, and what befalls them
   * @throws InputError for a rule that cannot be
   *
   * @example
   * ```ts
   * const lost = local.faults.add({ operation: 'insertEntity', nth: 1, fault: { kind: 'lost response' } })
   * await people.insert(jeff)
   * console.log(lost.fired) // 1
   * ```
   */
  add(rule: FaultRule): AddedFault
  /** The rules in force, in the order in which they were added. */
  list(): readonly AddedFault[]
  /** Ends all rules. */
  clear(): void
}
