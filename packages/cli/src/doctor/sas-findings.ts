import { coveredKeys } from '../target/sas-parameters.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

/** The permissions of a signature, by their letters. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  r: 'read',
  w: 'write',
  a: 'add',
  u: 'update',
  d: 'delete',
  l: 'list',
  c: 'create',
}

const HOUR = 3_600_000

/**
 * Takes a shared access signature apart. The signature itself is not shown.
 *
 * @param parameters - the query string of the URL
 * @param now - milliseconds since 1970
 */
export function* sasFindings(
  parameters: URLSearchParams,
  now: number,
): Generator<Finding, void, undefined> {
  const table = parameters.get('tn')
  const policy = parameters.get('si')
  const permissions = parameters.get('sp') ?? ''
  const keys = coveredKeys(parameters)
  const parts = [
    table === null ? 'It signs for the account.' : `It signs for the table ${table}.`,
    policy === null ? '' : `The stored policy ${policy} completes it.`,
    permissions === ''
      ? ''
      : `It may ${[...permissions].map((letter) => PERMISSIONS[letter] ?? letter).join(', ')}.`,
    keys === undefined ? '' : `Only ${keys}.`,
    parameters.get('sip') === null ? '' : `Only from ${parameters.get('sip')}.`,
    parameters.get('spr') === null ? '' : `Only over ${parameters.get('spr')}.`,
    `Version ${parameters.get('sv') ?? 'unknown'}.`,
  ]
  yield ok('signature', parts.filter(Boolean).join(' '))
  yield* timeFindings(parameters, now)
}

function* timeFindings(
  parameters: URLSearchParams,
  now: number,
): Generator<Finding, void, undefined> {
  const [start, expiry] = ['st', 'se'].map((name) => parameters.get(name))
  if (start && Date.parse(start) > now) {
    const remedy = 'Leave the start out, or set it 15 minutes earlier: clocks differ.'
    yield failed('signature time', `It begins at ${start}.`, remedy)
  }
  if (!expiry) return
  const left = Date.parse(expiry) - now
  const hours = Math.abs(left / HOUR).toFixed(1)
  const soon = `It expires in ${hours} hours, at ${expiry}.`
  if (left >= HOUR) yield ok('signature time', soon)
  else if (left > 0) yield warning('signature time', soon, 'Make a new signature soon.')
  else {
    const detail = `It expired ${hours} hours ago, at ${expiry}.`
    yield failed('signature time', detail, 'Make a new signature.')
  }
}
