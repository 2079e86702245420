import type { RequestFacts } from '../requests/request-facts.ts'
import type { AddedFault, FaultRule } from './fault-rule.ts'

/** A rule in force: counts the requests that it is about, and chooses among them. */
export class ActiveFault implements AddedFault {
  readonly rule: FaultRule
  readonly remove: () => void
  counted = 0
  fired = 0

  /** @param remove - ends the rule */
  constructor(rule: FaultRule, remove: () => void) {
    this.rule = rule
    this.remove = remove
  }

  /** Counts a request, and says whether the fault is to befall it. */
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
