import { describe, expect, it } from 'vitest'
import { isWithin, parseAddressRange } from '../../../packages/local/src/access/sas-scope.ts'

const holds = (range: string, address: string) => {
  const parsed = parseAddressRange(range)
  return parsed === undefined ? 'not a range' : isWithin(parsed, address)
}

describe('address ranges', () => {
  it.each([
    ['168.1.5.60', '168.1.5.60', true],
    ['168.1.5.60', '168.1.5.61', false],
    ['168.1.5.60-168.1.5.70', '168.1.5.60', true],
    ['168.1.5.60-168.1.5.70', '168.1.5.70', true],
    ['168.1.5.60-168.1.5.70', '168.1.5.7', false],
    ['9.255.255.255-10.0.0.1', '10.0.0.0', true],
    ['0.0.0.0-255.255.255.255', '::1', false],
    ['0.0.0.0-255.255.255.255', '', false],
  ])('%s contains %s: %s', (range, address, expected) => {
    expect(holds(range, address)).toBe(expected)
  })

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.4-',
    '1.2.3.4-1.2.3.5-1.2.3.6',
    '::1',
    '1.2.3.4/8',
    '01.2.3.4.',
  ])('rejects %j', (range) => {
    expect(holds(range, '1.2.3.4')).toBe('not a range')
  })
})
