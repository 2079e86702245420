import { inspect } from 'node:util'
import { checkOptions } from '@rowkey/rest'
import { localInputError } from '../errors/codes.ts'
import type { InjectedFault, PassingCode } from './injected-fault.ts'

type Check = (value: unknown) => boolean

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const isOneOf =
  (...allowed: readonly unknown[]): Check =>
  (value) =>
    allowed.includes(value)
/** More than that, and a clock shows no moment that there is a date of. */
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

/** What each kind of fault is made of. */
const MEMBERS: Readonly<Record<InjectedFault['kind'], Readonly<Record<string, Check>>>> = {
  'lost request': LOST,
  'lost answer': LOST,
  refusal: {
    code: (value) => typeof value === 'string' && Object.hasOwn(PASSING_CODES, value),
    retryAfter: optional(isDelay),
    applied: optional(isOneOf(true, false)),
  },
  'late answer': { delay: isDelay },
  'slow body': { delay: isDelay, after: optional(isCount) },
  'truncated body': { after: optional(isCount) },
  'cut page': { rows: isCount },
  'wrong clock': { offset: isOffset },
  'duplicate delivery': { answer: optional(isOneOf('first', 'second')) },
}

/** Refuses a fault that there is none of. */
export function checkInjectedFault(fault: InjectedFault): void {
  const { kind } = Object(fault) as Partial<InjectedFault>
  const members = kind !== undefined && Object.hasOwn(MEMBERS, kind) ? MEMBERS[kind] : undefined
  if (members === undefined) {
    const kinds = Object.keys(MEMBERS).join(', ')
    throw localInputError({
      code: 'InvalidOptionValue',
      message: `A fault must be { kind, … } with a kind of: ${kinds}.`,
    })
  }
  checkOptions(fault, ['kind', ...Object.keys(members)], `the fault '${kind}'`)
  for (const [name, check] of Object.entries(members)) {
    if (check(Reflect.get(fault, name))) continue
    throw localInputError({
      code: 'InvalidOptionValue',
      message: `The ${name} of the fault '${kind}' cannot be ${inspect(Reflect.get(fault, name))}. ${RULES[name]}`,
    })
  }
}

const RULES: Readonly<Record<string, string>> = {
  after: 'Give bytes, 0 or more.',
  answer: "Give 'first' or 'second'.",
  applied: 'Give true or false.',
  code: `Give one of: ${Object.keys(PASSING_CODES).join(', ')}.`,
  connection: "Give 'closed' or 'reset'.",
  delay: 'Give milliseconds, 0 or more.',
  offset: 'Give milliseconds, fast above 0 and slow below, 100 years at most.',
  retryAfter: 'Give milliseconds, 0 or more.',
  rows: 'Give a whole number, 0 or more.',
}
