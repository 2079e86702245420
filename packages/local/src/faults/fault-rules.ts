import type { HttpRequest } from '@rowkey/rest'
import type { AccountKeys } from '../account/account.ts'
import { type RequestFacts, requestFacts, tableInBody } from '../request-log/request-facts.ts'
import type { AddedFault, FaultRule, Faults } from './fault-rule.ts'
import { checkFaultRule } from './fault-rule.ts'
import type { InjectedFault } from './injected-fault.ts'

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
