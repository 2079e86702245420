import type { HttpRequest } from '@rowkey/rest'
import { requestFacts } from '../requests/request-facts.ts'
import { tableInBody } from '../requests/table-in-body.ts'
import type { AccountKeys } from '../service/account.ts'
import { ActiveFault } from './active-fault.ts'
import { checkFaultRule } from './check-fault-rule.ts'
import type { AddedFault, FaultRule, Faults } from './fault-rule.ts'
import type { InjectedFault } from './injected-fault.ts'

/** The rules of one service. While there is none, a request is not even looked at. */
export class FaultRules implements Faults {
  readonly #accounts: AccountKeys
  readonly #random: () => number
  #active: readonly ActiveFault[] = []

  /**
   * @param accounts - the service's
   * @param random - from 0 to below 1
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

  /** What is to befall a request. Every rule counts it, also when another one befalls it. */
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
