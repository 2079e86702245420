import type { CheckChoices } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { CHECK_NAMES, isChecked, withChecks } from '../../../packages/rest/src/endpoint/checks.ts'
import { contoso } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('CHECK_NAMES', () => {
  it('lists every check once, in order', () => {
    expect([...CHECK_NAMES]).toEqual([...new Set(CHECK_NAMES)].sort())
    expect(CHECK_NAMES).toContain('entitySize')
  })
})

describe('withChecks', () => {
  it.each([
    undefined,
    'before sending',
    {},
    { keys: 'before sending' },
    { keys: undefined },
  ] as const)('checks everything before sending with %j', (checks) => {
    const endpoint = withChecks(contoso, checks)
    for (const name of CHECK_NAMES) expect(isChecked(endpoint, name)).toBe(true)
  })

  it('leaves everything to the service', () => {
    const endpoint = withChecks(contoso, 'by the service')
    for (const name of CHECK_NAMES) expect(isChecked(endpoint, name)).toBe(false)
    expect(endpoint).toMatchObject({ origin: contoso.origin, account: 'contoso' })
  })

  it.each(CHECK_NAMES)('leaves only %s to the service', (left) => {
    const endpoint = withChecks(contoso, { [left]: 'by the service' })
    for (const name of CHECK_NAMES) expect(isChecked(endpoint, name)).toBe(name !== left)
  })

  it('rejects an unknown check', () => {
    const checks = { sizes: 'by the service' } as CheckChoices
    expect(() => withChecks(contoso, checks)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
  })

  it.each(['never', null, { keys: false }, { keys: 'never' }])(
    'rejects %j as a place',
    (checks) => {
      expect(() => serviceOver(scriptedTransport(), { checks: checks as CheckChoices })).toThrow(
        expect.objectContaining({ code: 'InvalidOptionValue' }),
      )
    },
  )
})
