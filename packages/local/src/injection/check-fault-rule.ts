import { checkOptions } from '@rowkey/rest'
import { localInputError } from '../errors/codes.ts'
import { isOperationName } from '../requests/operation-name.ts'
import { checkInjectedFault } from './check-injected-fault.ts'
import type { FaultRule } from './fault-rule.ts'

/** What a member of a rule must be, and how that is said. */
type Member = readonly [isRight: (value: unknown) => boolean, rule: string]

const COUNT: Member = [
  (value) => Number.isInteger(value) && Number(value) >= 1,
  'a whole number from 1',
]

/** What chooses the requests of a rule; each may be left out. */
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
    "the name of an operation, such as 'insertEntity', or a list of such names",
  ],
  probability: [
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
    'a number from 0 to 1',
  ],
  table: [(value) => typeof value === 'string' && value !== '', 'the name of a table'],
  times: COUNT,
  when: [(value) => typeof value === 'function', 'a function of what a request is about'],
}

/** Refuses a rule that could never do what it says. */
export function checkFaultRule(rule: FaultRule): void {
  checkOptions(rule, ['fault', ...Object.keys(MEMBERS)], 'faults.add')
  checkInjectedFault(rule.fault)
  for (const [name, [isRight, text]] of Object.entries(MEMBERS)) {
    const value: unknown = Reflect.get(rule, name)
    if (value === undefined || isRight(value)) continue
    throw localInputError({
      code: 'InvalidOptionValue',
      message: `${name} of faults.add must be ${text}.`,
    })
  }
}
