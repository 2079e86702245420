import { describe, expect, it } from 'vitest'
import { readQuoted } from '../../../packages/odata/src/filter/read-quoted.ts'

const GUID = 'c9da6455-213d-42c9-9a79-3e9149a57833'

describe('readQuoted', () => {
  it('reads the literal that the prefix says', () => {
    expect(readQuoted('', 'a')).toEqual({ type: 'String', value: 'a' })
    expect(readQuoted('guid', GUID.toUpperCase())).toEqual({ type: 'Guid', value: GUID })
    expect(readQuoted('X', '0aFF')).toEqual({ type: 'Binary', value: Uint8Array.of(10, 255) })
    expect(readQuoted('binary', '')).toEqual({ type: 'Binary', value: Uint8Array.of() })
    const instant = readQuoted('datetime', '2012-11-10T03:04:05.1234567Z')
    expect(instant?.type).toBe('DateTime')
    expect(JSON.stringify(instant?.value)).toContain('.1234567Z')
  })

  it.each([
    ['guid', 'a'],
    ['X', '0'],
    ['X', '0g'],
    ['datetime', 'a'],
    ['DateTime', '2012-11-10T03:04:05Z'],
    ['time', 'PT1H'],
  ])('reads nothing from %s of %j', (prefix, text) => {
    expect(readQuoted(prefix, text)).toBeUndefined()
  })
})
