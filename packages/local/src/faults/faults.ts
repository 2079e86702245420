import {
  aFunction,
  anything,
  declareOptions,
  invalidOption,
  milliseconds,
  type OptionRules,
  oneOf,
  required,
  rule,
  showingText,
  trueOrFalse,
} from '@rowkey/odata'
import type { HttpMethod, HttpRequest } from '@rowkey/rest'
import type { AccountKeys } from '../account/account.ts'
import { isOperationName, type OperationName } from '../request/operation-name.ts'
import { type RequestFacts, requestFacts, tableInBody } from '../request-log/request-log.ts'
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

const count = rule(
  'a whole number from 1',
  (value) => Number.isInteger(value) && Number(value) >= 1,
)

/** The options of {@link Faults.add}. All but the fault choose requests. */
const faultOptions = declareOptions<FaultRule>({
  every: count,
  fault: anything,
  location: oneOf('primary', 'secondary'),
  method: showingText(
    rule(
      "a verb in capitals, such as 'GET'",
      (value) => typeof value === 'string' && /^[A-Z]+$/.test(value),
    ),
  ),
  nth: count,
  operation: showingText(
    rule(
      "the name of an operation, such as 'insertEntity', or a list of names",
      (value) => [value].flat().length > 0 && [value].flat().every(isOperationName),
    ),
  ),
  probability: rule(
    'a number from 0 to 1',
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
  ),
  table: rule('the name of a table', (value) => typeof value === 'string' && value !== ''),
  times: count,
  when: aFunction,
})

/** A clock that is further off shows times that are not valid dates. */
const LONGEST = 100 * 365 * 86_400_000
const size = rule(
  'a whole number, 0 or more',
  (value) => Number.isInteger(value) && Number(value) >= 0,
)
const connection = oneOf('closed', 'reset')

/** The options of one kind of fault. */
type FaultOptions<Kind, Fault = InjectedFault> = Fault extends { readonly kind: infer Own }
  ? Kind extends Own
    ? Omit<Fault, 'kind'>
    : never
  : never

/** The options of each kind of fault. */
const FAULTS: { readonly [Kind in InjectedFault['kind']]: OptionRules<FaultOptions<Kind>> } = {
  'lost request': { connection },
  'lost response': { connection },
  rejection: {
    code: required(
      oneOf(
        'InternalError',
        'OperationTimedOut',
        'RequestTimeout',
        'ServerBusy',
        'TableBeingDeleted',
        'TooManyRequests',
      ),
    ),
    retryAfter: milliseconds,
    applied: trueOrFalse,
  },
  'late response': { delay: required(milliseconds) },
  'slow body': { delay: required(milliseconds), after: size },
  'truncated body': { after: size },
  'cut page': { rows: required(size) },
  'wrong clock': {
    offset: required(
      rule(
        'milliseconds, fast above 0 and slow below, 100 years at most',
        (value) => Number.isFinite(value) && Math.abs(Number(value)) <= LONGEST,
      ),
    ),
  },
  'duplicate delivery': { response: oneOf('first', 'second') },
}

/**
 * Rejects a rule that can never apply.
 *
 * @throws InputError (`InvalidOptionValue`), or `UnknownOption`
 */
export function checkFaultRule(rule: FaultRule): void {
  faultOptions.check(rule, 'faults.add')
  checkInjectedFault(rule.fault)
}

/**
 * Rejects an unknown kind of fault, and an invalid member.
 *
 * @throws InputError (`InvalidOptionValue`), or `UnknownOption`
 */
export function checkInjectedFault(fault: InjectedFault): void {
  const { kind } = Object(fault) as Partial<InjectedFault>
  if (kind === undefined || !Object.hasOwn(FAULTS, kind)) {
    const kinds = Object.keys(FAULTS).join(', ')
    throw invalidOption(
      `fault of faults.add must be { kind, … } with one of the kinds: ${kinds}; got ${JSON.stringify(kind)}.`,
      'fault',
    )
  }
  declareOptions<object>({ kind: anything, ...FAULTS[kind] }).check(fault, `the fault '${kind}'`)
}

/** The rules of one service. Without rules it does not look at requests. */
export class FaultRules implements Faults {
  readonly #accounts: AccountKeys
  readonly #random: () => number
  #active: readonly ActiveFault[] = []

  /**
   * @param accounts - the accounts of the service
   * @param random - returns a number from 0 to below 1
   */
  constructor(accounts: AccountKeys, random: () => number) {
    this.#accounts = accounts
    this.#random = random
  }

  add(rule: FaultRule): AddedFault {
    checkFaultRule(rule)
    const added: ActiveFault = new ActiveFault(rule, () => {
      this.#active = this.#active.filter((one) => one !== added)
    })
    this.#active = [...this.#active, added]
    return added
  }

  list(): readonly AddedFault[] {
    return this.#active
  }

  clear(): void {
    this.#active = []
  }

  /** Whether there are rules. */
  get areActive(): boolean {
    return this.#active.length > 0
  }

  /**
   * Chooses the fault for a request. Every rule counts the request, even when another one applies.
   */
  next(request: HttpRequest): InjectedFault | undefined {
    if (!this.areActive) return undefined
    const facts = requestFacts(this.#accounts, request, tableInBody(request))
    const chosen = this.#active.filter((one) => one.chooses(facts, this.#random))
    const [first] = chosen
    if (first === undefined) return undefined
    first.fired++
    return first.rule.fault
  }
}

/** An active rule: counts the requests that match, and chooses among them. */
export class ActiveFault implements AddedFault {
  readonly rule: FaultRule
  readonly remove: () => void
  counted = 0
  fired = 0

  /** @param remove - removes the rule */
  constructor(rule: FaultRule, remove: () => void) {
    this.rule = rule
    this.remove = remove
  }

  /** Counts a request, and tells whether to inject the fault. */
  chooses(facts: RequestFacts, random: () => number): boolean {
    if (!isAbout(this.rule, facts)) return false
    this.counted++
    const { nth, every = 1, times = Number.POSITIVE_INFINITY, probability } = this.rule
    if (nth !== undefined && this.counted !== nth) return false
    if (this.counted % every !== 0 || this.fired >= times) return false
    return probability === undefined || random() < probability
  }
}

function isAbout(rule: FaultRule, facts: RequestFacts): boolean {
  const { operation, table, method, location, when } = rule
  if (operation !== undefined && ![operation].flat().some((one) => one === facts.operation)) {
    return false
  }
  if (table !== undefined && table.toLowerCase() !== facts.table?.toLowerCase()) return false
  if (method !== undefined && method !== facts.method) return false
  if (location !== undefined && location !== facts.location) return false
  return when === undefined || when(facts)
}
