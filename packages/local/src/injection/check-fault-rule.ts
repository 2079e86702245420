import { checkOptions, OptionValueError } from '@rowkey/rest'
import { checkInjectedFault } from './check-injected-fault.ts'
import type { FaultRule } from './fault-rule.ts'

const NAMES = [
  'every',
  'fault',
  'location',
  'method',
  'nth',
  'operation',
  'probability',
  'table',
  'times',
  'when',
] as const

/** Refuses a rule that could never do what it says. */
export function checkFaultRule(rule: FaultRule): void {
  checkOptions(rule, NAMES, 'faults.add')
  checkInjectedFault(rule.fault)
  for (const name of ['nth', 'every', 'times'] as const) {
    const value: unknown = rule[name]
    if (value === undefined || (Number.isInteger(value) && Number(value) >= 1)) continue
    throw new OptionValueError({ message: `${name} of faults.add must be a whole number from 1.` })
  }
  const probability: unknown = rule.probability
  if (probability !== undefined && !(Number(probability) >= 0 && Number(probability) <= 1)) {
    throw new OptionValueError({ message: 'probability of faults.add must be from 0 to 1.' })
  }
  if (rule.when !== undefined && typeof rule.when !== 'function') {
    throw new OptionValueError({
      message: 'when of faults.add must be a function of what a request is about.',
    })
  }
}
