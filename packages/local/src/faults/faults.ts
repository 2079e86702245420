import { checkOptions, type HttpMethod, type HttpRequest } from '@rowkey/rest'
import type { AccountKeys } from '../account/account.ts'
import { invalidOption } from '../errors/invalid-option.ts'
import {
  isOperationName,
  type OperationName,
  type RequestFacts,
  requestFacts,
  tableInBody,
} from '../request-log/request-log.ts'
import type { InjectedFault, PassingCode } from './injected-fault.ts'

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

/** A member of a rule: a check of its value, and the rule in words. */
type Member = readonly [isRight: (value: unknown) => boolean, rule: string]

const COUNT: Member = [
  (value) => Number.isInteger(value) && Number(value) >= 1,
  'a whole number from 1',
]

/** The members that choose requests; each is optional. */
const MEMBERS: Readonly<Record<Exclude<keyof FaultRule, 'fault'>, Member>> = {
  every: COUNT,
  location: [(value) => value === 'primary' || value === 'secondary', "'primary' or 'secondary'"],
  method: [
    (value) => typeof value === 'string' && /^[A-Z]+$/.test(value),
    "a verb in capitals, such as 'GET'",
  ],
  nth: COUNT,
  operation: [
    (value) => [value].flat().length > 0 && [value].flat().every(isOperationName),
    "the name of an operation, such as 'insertEntity', or a list of names",
  ],
  probability: [
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
    'a number from 0 to 1',
  ],
  table: [(value) => typeof value === 'string' && value !== '', 'the name of a table'],
  times: COUNT,
  when: [(value) => typeof value === 'function', 'a function of what a request is about'],
}

/**
 * Rejects a rule that can never apply.
 *
 * @throws InputError (`InvalidOptionValue`), or `UnknownOption`
 */
export function checkFaultRule(rule: FaultRule): void {
  checkOptions(rule, ['fault', ...Object.keys(MEMBERS)], 'faults.add')
  checkInjectedFault(rule.fault)
  for (const [name, [isRight, text]] of Object.entries(MEMBERS)) {
    const value: unknown = Reflect.get(rule, name)
    if (value === undefined || isRight(value)) continue
    throw invalidOption({ name: `${name} of faults.add`, value, rule: text })
  }
}

type Check = (value: unknown) => boolean

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const isOneOf =
  (...allowed: readonly unknown[]): Check =>
  (value) =>
    allowed.includes(value)
/** A clock that is further off shows times that are not valid dates. */
const LONGEST = 100 * 365 * 86_400_000
const isOffset: Check = (value) => Number.isFinite(value) && Math.abs(Number(value)) <= LONGEST
const isDelay: Check = (value) => Number.isFinite(value) && Number(value) >= 0
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0

const PASSING_CODES: Readonly<Record<PassingCode, true>> = {
  InternalError: true,
  OperationTimedOut: true,
  RequestTimeout: true,
  ServerBusy: true,
  TableBeingDeleted: true,
  TooManyRequests: true,
}

const LOST = { connection: optional(isOneOf('closed', 'reset')) }

/** The members of each kind of fault. */
const FAULT_MEMBERS: Readonly<Record<InjectedFault['kind'], Readonly<Record<string, Check>>>> = {
  'lost request': LOST,
  'lost response': LOST,
  rejection: {
    code: (value) => typeof value === 'string' && Object.hasOwn(PASSING_CODES, value),
    retryAfter: optional(isDelay),
    applied: optional(isOneOf(true, false)),
  },
  'late response': { delay: isDelay },
  'slow body': { delay: isDelay, after: optional(isCount) },
  'truncated body': { after: optional(isCount) },
  'cut page': { rows: isCount },
  'wrong clock': { offset: isOffset },
  'duplicate delivery': { response: optional(isOneOf('first', 'second')) },
}

/**
 * Rejects an unknown kind of fault, and an invalid member.
 *
 * @throws InputError (`InvalidOptionValue`), or `UnknownOption`
 */
export function checkInjectedFault(fault: InjectedFault): void {
  const { kind } = Object(fault) as Partial<InjectedFault>
  const members =
    kind !== undefined && Object.hasOwn(FAULT_MEMBERS, kind) ? FAULT_MEMBERS[kind] : undefined
  if (members === undefined) {
    const kinds = Object.keys(FAULT_MEMBERS).join(', ')
    throw invalidOption({
      name: 'fault of faults.add',
      value: fault,
      rule: `{ kind, … } with one of the kinds: ${kinds}`,
    })
  }
  checkOptions(fault, ['kind', ...Object.keys(members)], `the fault '${kind}'`)
  for (const [name, check] of Object.entries(members)) {
    if (check(Reflect.get(fault, name))) continue
    throw invalidOption({
      name: `${name} of the fault '${kind}'`,
      value: Reflect.get(fault, name),
      rule: RULES[name] ?? '',
    })
  }
}

const RULES: Readonly<Record<string, string>> = {
  after: 'bytes, 0 or more',
  applied: 'true or false',
  code: `one of: ${Object.keys(PASSING_CODES).join(', ')}`,
  connection: "'closed' or 'reset'",
  delay: 'milliseconds, 0 or more',
  offset: 'milliseconds, fast above 0 and slow below, 100 years at most',
  response: "'first' or 'second'",
  retryAfter: 'milliseconds, 0 or more',
  rows: 'a whole number, 0 or more',
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

  /**
   * Chooses the fault for a request. Every rule counts the request, even when another one applies.
   */
  next(request: HttpRequest): InjectedFault | undefined {
    if (this.#active.length === 0) return undefined
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
